//! The two examples of Udwadia 2005: Appell's particle with drag, and a block on a rough incline.

use crate::claim::{Quantity as Q, claim};
use crate::entry::{Check, Entry, List, Paper};
use crate::scene::Scene;

/// How the C of the second example is to be read.
const SIGN: &str = "in (36) to (38) C is the opposite of C in (9), (24) and (26): one convention, held throughout the three; with \
                    that of (9), C has a minus sign, and (39) is the same";

pub(crate) fn entries() -> Vec<Entry> {
    let mut all = appell();
    all.extend(block());
    all
}

fn appell() -> Vec<Entry> {
    let list = List(Paper::Principle, "");
    let scenes = [Scene::Appell, Scene::AppellBreathing, Scene::AppellHomogeneous];
    let all = |quantity: Q, x: &'static str| scenes.map(|scene| claim(scene, quantity, x)).to_vec();
    let motion = |x: &'static str| all(Q::Acceleration, x);
    let ideal = "(rate - x'*Fx - y'*Fy + z'*Fz)/u^2*x'; (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*y';
                 -(rate - x'*Fx - y'*Fy + z'*Fz)/u^2*z'";
    // In the models of `breathing` and `homogeneous`, alpha g is one function; here `rate` stands for its derivative.
    vec![
        list.example(
            "example-1",
            r"\dot{x}^2 + \dot{y}^2 - \dot{z}^2 = 2\alpha g",
            "Appell's particle: the constraint is nonholonomic, not linear in the velocities, and not ideal",
            vec![
                claim(Scene::Appell, Q::VelocityRows, "x'^2 + y'^2 - z'^2 - 2*alpha*g"),
                claim(Scene::AppellHomogeneous, Q::VelocityRows, "x'^2 + y'^2 - z'^2"),
                claim(Scene::Appell, Q::FullRank, "3"),
            ],
        ),
        list.data(
            "27",
            r"v^T Q^c = -a_0\,v^T \begin{bmatrix} \dot{x} \\ \dot{y} \\ \dot{z} \end{bmatrix} \frac{u^2}{|u|} = -a_0\,v^T \begin{bmatrix} \dot{x} \\ \dot{y} \\ \dot{z} \end{bmatrix} |u|",
            "the constraint drags, with the square of the speed u",
            vec![
                claim(Scene::Appell, Q::Work, "-a0*x'*u^2/abs(u); -a0*y'*u^2/abs(u); -a0*z'*u^2/abs(u)"),
                claim(Scene::Appell, Q::Work, "-a0*x'*abs(u); -a0*y'*abs(u); -a0*z'*abs(u)"),
            ],
        ),
        list.example(
            "28",
            r"\begin{bmatrix} \dot{x} & \dot{y} & -\dot{z} \end{bmatrix} \begin{bmatrix} \ddot{x} \\ \ddot{y} \\ \ddot{z} \end{bmatrix} = \alpha\,\dot{g}",
            "the constraint, differentiated, and halved",
            vec![
                claim(Scene::AppellHalved, Q::AccelerationRows, "x'*x'' + y'*y'' - z'*z'' - alpha*g'"),
                claim(Scene::AppellHalved, Q::Rows, "x', y', -z'"),
                claim(Scene::AppellHalved, Q::RightSide, "alpha*g'"),
            ],
        )
        .misprinted(
            r"\begin{bmatrix} \dot{x} & \dot{y} & -\dot{z} \end{bmatrix} \dot{y} = \alpha\,\dot{g}",
            "the row multiplies one velocity; it should multiply the vector of accelerations",
        )
        .fails(Check::Example(vec![claim(Scene::AppellHalved, Q::AccelerationRows, "x'*y' - alpha*g', y'*y', -z'*y'")])),
        list.example(
            "B+-appell",
            r"B^+ = \frac{1}{u^2} \begin{bmatrix} \dot{x} \\ \dot{y} \\ -\dot{z} \end{bmatrix}",
            "the Moore–Penrose inverse of the row, after (28)",
            vec![
                claim(Scene::AppellHalved, Q::BPlus, "x'/u^2; y'/u^2; -z'/u^2"),
                claim(Scene::AppellHalved, Q::RowsPlus, "x'/u^2; y'/u^2; -z'/u^2"),
            ],
        ),
        list.example(
            "29",
            r"\ddot{q} = \begin{bmatrix} F_x \\ F_y \\ F_z \end{bmatrix} + \frac{\alpha\dot{g} - \dot{x}F_x - \dot{y}F_y + \dot{z}F_z}{u^2} \begin{bmatrix} \dot{x} \\ \dot{y} \\ -\dot{z} \end{bmatrix} - \frac{a_0}{|u|} \begin{bmatrix} \dot{y}^2 + \dot{z}^2 & -\dot{x}\dot{y} & \dot{x}\dot{z} \\ -\dot{y}\dot{x} & \dot{x}^2 + \dot{z}^2 & \dot{y}\dot{z} \\ \dot{x}\dot{z} & \dot{y}\dot{z} & \dot{x}^2 + \dot{y}^2 \end{bmatrix} \begin{bmatrix} \dot{x} \\ \dot{y} \\ \dot{z} \end{bmatrix}",
            "impressed, ideal and non-ideal force on Appell's particle",
            [
                motion(
                    "Fx + (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*x' - a0/abs(u)*((y'^2 + z'^2)*x' - x'*y'*y' + x'*z'*z');
                     Fy + (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*y' - a0/abs(u)*(-y'*x'*x' + (x'^2 + z'^2)*y' + y'*z'*z');
                     Fz - (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*z' - a0/abs(u)*(x'*z'*x' + y'*z'*y' + (x'^2 + y'^2)*z')",
                ),
                all(Q::Force, "Fx; Fy; Fz"),
                all(Q::Ideal, ideal),
                all(
                    Q::Nonideal,
                    "-a0/abs(u)*((y'^2 + z'^2)*x' - x'*y'*y' + x'*z'*z');
                     -a0/abs(u)*(-y'*x'*x' + (x'^2 + z'^2)*y' + y'*z'*z');
                     -a0/abs(u)*(x'*z'*x' + y'*z'*y' + (x'^2 + y'^2)*z')",
                ),
            ]
            .concat(),
        )
        .misprinted(
            r"y^2 + z^2, \; x^2 + z^2, \; x^2 + y^2 \quad \text{on the diagonal}",
            "the sums lack their dots: they are of velocities, the drag does not know where the particle is",
        )
        .fails(Check::Example(motion(
            "Fx + (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*x' - a0/abs(u)*((y^2 + z^2)*x' - x'*y'*y' + x'*z'*z');
             Fy + (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*y' - a0/abs(u)*(-y'*x'*x' + (x^2 + z^2)*y' + y'*z'*z');
             Fz - (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*z' - a0/abs(u)*(x'*z'*x' + y'*z'*y' + (x^2 + y^2)*z')",
        ))),
        list.example(
            "30",
            r"\ddot{q} = \begin{bmatrix} F_x \\ F_y \\ F_z \end{bmatrix} + \frac{\alpha\dot{g} - \dot{x}F_x - \dot{y}F_y + \dot{z}F_z}{u^2} \begin{bmatrix} \dot{x} \\ \dot{y} \\ -\dot{z} \end{bmatrix} - \frac{a_0}{|u|} \begin{bmatrix} 2\dot{x}\dot{z}^2 \\ 2\dot{y}\dot{z}^2 \\ 2\dot{z}(\dot{x}^2 + \dot{y}^2) \end{bmatrix}",
            "the same, simplified",
            [
                motion(
                    "Fx + (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*x' - a0/abs(u)*2*x'*z'^2;
                     Fy + (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*y' - a0/abs(u)*2*y'*z'^2;
                     Fz - (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*z' - a0/abs(u)*2*z'*(x'^2 + y'^2)",
                ),
                all(Q::Ideal, ideal),
                all(Q::Nonideal, "-a0/abs(u)*2*x'*z'^2; -a0/abs(u)*2*y'*z'^2; -a0/abs(u)*2*z'*(x'^2 + y'^2)"),
            ]
            .concat(),
        )
        .misprinted(
            r"2\dot{z}(x^2 + y^2) \quad \text{in the last row}",
            "the sum lacks its dots: it is of velocities",
        )
        .fails(Check::Example(motion(
            "Fx + (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*x' - a0/abs(u)*2*x'*z'^2;
             Fy + (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*y' - a0/abs(u)*2*y'*z'^2;
             Fz - (rate - x'*Fx - y'*Fy + z'*Fz)/u^2*z' - a0/abs(u)*2*z'*(x^2 + y^2)",
        ))),
        list.example(
            "after-30",
            r"Q_{ni} \neq C \;\Leftrightarrow\; \alpha \neq 0",
            "the non-ideal force is not C, except in Appell's own case α = 0, where C is a virtual displacement",
            vec![
                claim(Scene::AppellHomogeneous, Q::Nonideal, "-a0*u*x'; -a0*u*y'; -a0*u*z'").admissible(),
                claim(Scene::Appell, Q::Nonideal, "-a0*u*x'; -a0*u*y'; -a0*u*z'").denied(),
            ],
        ),
    ]
}

fn block() -> Vec<Entry> {
    let list = List(Paper::Principle, "");
    let (smooth, rough) = (Scene::BlockSmooth, Scene::BlockRough);
    let friction = "-m*g*sin(theta)*cos(theta) - mu*m*g*cos(theta)^2*sign(x');
                    -m*g + m*g*cos(theta)^2 - mu*m*g*cos(theta)*sin(theta)*sign(x')";
    vec![
        list.example(
            "example-2",
            r"m\,\ddot{q} = Q + Q_i + Q_{ni}",
            "a block on an incline, smooth and rough",
            vec![
                claim(smooth, Q::MassTimesAcceleration, "-m*g*sin(theta)*cos(theta); -m*g + m*g*cos(theta)^2"),
                claim(rough, Q::MassTimesAcceleration, friction),
                claim(rough, Q::FullRank, "2"),
            ],
        ),
        list.data(
            "31",
            r"\begin{bmatrix} m & 0 \\ 0 & m \end{bmatrix} \begin{bmatrix} \ddot{x} \\ \ddot{y} \end{bmatrix} = \begin{bmatrix} 0 \\ -mg \end{bmatrix}",
            "a block in the air",
            vec![claim(smooth, Q::Mass, "m, 0; 0, m"), claim(smooth, Q::Force, "0; -m*g")],
        ),
        list.data("32", r"y = x \tan\theta", "the incline", vec![claim(smooth, Q::PositionRows, "y - x*tan(theta)")]),
        list.example("33", r"\ddot{y} = \ddot{x} \tan\theta", "differentiated twice", vec![claim(smooth, Q::AccelerationRows, "y'' - x''*tan(theta)")]),
        list.example(
            "34",
            r"\begin{bmatrix} -\tan\theta & 1 \end{bmatrix} \begin{bmatrix} \ddot{x} \\ \ddot{y} \end{bmatrix} = 0",
            "as a row",
            vec![claim(smooth, Q::Rows, "-tan(theta), 1"), claim(smooth, Q::RightSide, "0")],
        ),
        list.example(
            "B+",
            r"B^+ = m^{1/2} \cos^2\theta \begin{bmatrix} -\tan\theta \\ 1 \end{bmatrix}",
            "the Moore–Penrose inverse of B = A M^{-1/2}, after (34)",
            vec![claim(smooth, Q::BPlus, "-sqrt(m)*cos(theta)^2*tan(theta); sqrt(m)*cos(theta)^2")],
        ),
        list.example(
            "35",
            r"m \begin{bmatrix} \ddot{x} \\ \ddot{y} \end{bmatrix} = \begin{bmatrix} 0 \\ -mg \end{bmatrix} + mg \begin{bmatrix} -\sin\theta\cos\theta \\ \cos^2\theta \end{bmatrix}",
            "the equation of motion on a smooth incline",
            vec![
                claim(smooth, Q::MassTimesAcceleration, "0 - m*g*sin(theta)*cos(theta); -m*g + m*g*cos(theta)^2"),
                claim(smooth, Q::Ideal, "-m*g*sin(theta)*cos(theta); m*g*cos(theta)^2"),
            ],
        ),
        list.data(
            "36",
            r"v^T Q^c = -v^T C = -v^T \frac{\mu}{\sqrt{\dot{x}^2 + \dot{y}^2}} \begin{bmatrix} \dot{x} \\ \dot{y} \end{bmatrix} mg \cos\theta",
            "friction opposes the motion with µ times the ideal force",
            vec![
                claim(rough, Q::MinusWork, "mu*m*g*cos(theta)*x'/sqrt(x'^2 + y'^2); mu*m*g*cos(theta)*y'/sqrt(x'^2 + y'^2)").admissible(),
                // For every v with A v = 0: the parts along the incline are equal.
                claim(rough, Q::ForceAlong, "-mu*m*g*cos(theta)*x'/sqrt(x'^2 + y'^2); -mu*m*g*cos(theta)*y'/sqrt(x'^2 + y'^2)").admissible(),
                claim(rough, Q::Ideal, "-m*g*sin(theta)*cos(theta); m*g*cos(theta)^2"),
            ],
        )
        .remarked(r"v^T Q^c = -v^T C", SIGN),
        list.example(
            "37",
            r"C = \mu mg \cos\theta \begin{bmatrix} \cos\theta \\ \sin\theta \end{bmatrix} \operatorname{sgn}\dot{x}",
            "the same along the incline",
            vec![claim(rough, Q::MinusWork, "mu*m*g*cos(theta)*cos(theta)*sign(x'); mu*m*g*cos(theta)*sin(theta)*sign(x')")],
        )
        .remarked(r"v^T Q^c = -v^T C", SIGN),
        list.example(
            "38",
            r"Q_{ni} = -M^{1/2} \{I - B^+ B\} M^{-1/2} C = -\left\{I - \begin{bmatrix} \sin^2\theta & -\sin\theta\cos\theta \\ -\sin\theta\cos\theta & \cos^2\theta \end{bmatrix}\right\} C = -\begin{bmatrix} \mu mg \cos^2\theta \\ \mu mg \cos\theta\sin\theta \end{bmatrix} \operatorname{sgn}\dot{x}",
            "the force that friction adds",
            vec![
                claim(rough, Q::Across, "sin(theta)^2, -sin(theta)*cos(theta); -sin(theta)*cos(theta), cos(theta)^2"),
                claim(
                    rough,
                    Q::Nonideal,
                    "-((1 - sin(theta)^2)*(f*cos(theta)) + sin(theta)*cos(theta)*(f*sin(theta)));
                     -(sin(theta)*cos(theta)*(f*cos(theta)) + (1 - cos(theta)^2)*(f*sin(theta)))",
                ),
                claim(rough, Q::Nonideal, "-mu*m*g*cos(theta)^2*sign(x'); -mu*m*g*cos(theta)*sin(theta)*sign(x')"),
            ],
        )
        .remarked(r"v^T Q^c = -v^T C", SIGN),
        list.example(
            "39",
            r"m \begin{bmatrix} \ddot{x} \\ \ddot{y} \end{bmatrix} = \begin{bmatrix} 0 \\ -mg \end{bmatrix} + mg \begin{bmatrix} -\sin\theta\cos\theta \\ \cos^2\theta \end{bmatrix} - \mu mg \begin{bmatrix} \cos^2\theta \\ \cos\theta\sin\theta \end{bmatrix} \operatorname{sgn}\dot{x}",
            "the equation of motion on a rough incline",
            vec![
                claim(rough, Q::MassTimesAcceleration, friction),
                claim(rough, Q::Ideal, "-m*g*sin(theta)*cos(theta); m*g*cos(theta)^2"),
                claim(rough, Q::Nonideal, "-mu*m*g*cos(theta)^2*sign(x'); -mu*m*g*cos(theta)*sin(theta)*sign(x')"),
            ],
        ),
    ]
}
