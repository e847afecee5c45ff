//! The formulas of the papers: read in the form in which elimination leaves them, written in the papers' own.

use super::bench::Bench;

/// Reads `text`, writes it, and expects `expected`, with at most as many nodes as `paper` has, give or take a tenth.
fn expect(bench: &mut Bench, text: &str, paper: &str, expected: &str) {
    let ratio = bench.read(text);
    let (written, nodes) = bench.written(&ratio);
    assert_eq!(written, expected, "for {text}");
    let same = bench.read(paper);
    assert!(bench.field.equal(&ratio, &same, &holonom_symbols::algebra::Budget::new(1 << 30)).unwrap(), "{paper}");
    assert!(10 * nodes <= 11 * bench.nodes(paper), "{written} has {nodes} nodes, {paper} has {}", bench.nodes(paper));
}

/// Udwadia & Phohomsiri 2006, eq. 5.17: a wheel on an incline.
#[test]
fn wheel_on_an_incline() {
    let mut bench = Bench::new("m g R Ic alpha", "theta y").positive();
    let paper = "m*g*R*sin(alpha)/(m*R^2 + Ic)";
    let text = "m*g*R^2*sin(alpha)^3/(R*sin(alpha)^2*m*R^2 + R*Ic*(1 - cos(alpha)^2))";
    expect(&mut bench, text, paper, paper);
    let paper = "m*g*R^2*sin(alpha)^2/(m*R^2 + Ic)";
    expect(&mut bench, "m*g*R^2*(1 - cos(alpha)^2)/(m*R^2 + Ic)", paper, paper);
}

/// Udwadia & Phohomsiri 2006, eqs. 5.39, 5.47 and 5.56: two masses and two springs, one of the masses perhaps zero.
#[test]
fn two_masses() {
    let mut bench = Bench::new("m1 m2 k1 k2", "x1 q1 q2").positive();
    expect(&mut bench, "-k1*x1/m1 + k2*q2/m1", "(k2*q2 - k1*x1)/m1", "(k2*q2 - k1*x1)/m1");
    let third = "-(k2*q2 - k1*x1)/m1 - k2*q2/m2";
    expect(&mut bench, third, third, "(m2*k1*x1 - k2*(m1 + m2)*q2)/(m1*m2)");
    let text = "-k1*k2^2*x1/(m2*(k1^2 + 2*k1*k2 + k2^2)) - k1*k2^2*q2/(m2*(k1 + k2)^2)";
    let paper = "-k1*k2^2*(x1 + q2)/(m2*(k1 + k2)^2)";
    expect(&mut bench, text, paper, paper);
    let text = "-k1*x1/(m1 + m2) - k1*x1*m2/(m1*m1 + m1*m2)";
    expect(&mut bench, text, "-k1*x1/m1", "-k1*x1/m1");
}

/// Udwadia 2005, eq. 30: Appell's constraint on the velocity.
#[test]
fn velocity_of_given_kind() {
    let mut bench = Bench::new("alpha gd a0 Fx Fy Fz", "x y z");
    let u = "sqrt(x'^2 + y'^2 + z'^2)";
    let paper = format!("Fx + (alpha*gd - x'*Fx - y'*Fy + z'*Fz)*x'/{u}^2 - 2*a0*x'*z'^2/{u}");
    let text = format!("(Fx*{u}^3 + (alpha*gd - x'*Fx - y'*Fy + z'*Fz)*x'*{u} - 2*a0*x'*z'^2*{u}^2)/{u}^3");
    let expected =
        "x'*(Fz*z' - 2*a0*z'^2*sqrt(x'^2 + y'^2 + z'^2) - Fx*x' - Fy*y' + alpha*gd)/(x'^2 + y'^2 + z'^2) + Fx";
    expect(&mut bench, &text, &paper, expected);
    let paper = format!("Fz - (alpha*gd - x'*Fx - y'*Fy + z'*Fz)*z'/{u}^2 - 2*a0*z'*(x'^2 + y'^2)/{u}");
    let expected = "z'*(Fx*x' + Fy*y' - Fz*z' - alpha*gd)/(x'^2 + y'^2 + z'^2) - 2*a0*z'*(x'^2 + y'^2)/sqrt(x'^2 + y'^2 + z'^2) + Fz";
    expect(&mut bench, &paper, &paper, expected);
}

/// Udwadia 2005, eqs. 35, 38 and 39: a block on a rough incline, with A = (−tan θ, 1).
#[test]
fn block_on_an_incline() {
    let mut bench = Bench::new("m g theta mu", "x y").positive();
    let ideal = "-m*g*sin(theta)*cos(theta)";
    expect(&mut bench, "-m*g*tan(theta)/(1 + tan(theta)^2)", ideal, ideal);
    expect(&mut bench, "m*g/(1 + tan(theta)^2)", "m*g*cos(theta)^2", "m*g*cos(theta)^2");
    let text = "-mu*m*g*cos(theta)*(cos(theta) - tan(theta)*(tan(theta)*cos(theta) - sin(theta))/(1 + tan(theta)^2))*x'/abs(x')";
    let paper = "-mu*m*g*cos(theta)^2*sign(x')";
    expect(&mut bench, text, paper, "-m*g*mu*sign(x')*cos(theta)^2");
    let text = "(-g*m + m*g/(1 + tan(theta)^2) - mu*m*g*cos(theta)*sin(theta)*sign(x'))/m";
    let paper = "-g + g*cos(theta)^2 - mu*g*cos(theta)*sin(theta)*sign(x')";
    expect(&mut bench, text, paper, "-g*(mu*sign(x')*cos(theta) + sin(theta))*sin(theta)");
}

/// Udwadia, Kalaba & Fan 2005, eq. 32: a bead on a line.
#[test]
fn bead_on_a_line() {
    let mut bench = Bench::new("g k", "x1 x2");
    let text = "(1 + k*2 - k*g)/(1 + k*k) + k/(k - 1) - k*(1 + k)/(k^2 - 1)";
    expect(&mut bench, text, "(1 + 2*k - g*k)/(k^2 + 1)", "(2*k - g*k + 1)/(k^2 + 1)");
}

#[test]
fn double_pendulum_in_angles() {
    let mut bench = Bench::new("m1 m2 l1 l2 g", "theta1 theta2").positive();
    let paper = "m2*l1*l2*cos(theta1 - theta2)";
    expect(&mut bench, "m2*l1*l2*(cos(theta1)*cos(theta2) + sin(theta1)*sin(theta2))", paper, paper);
    let determinant = "((m1 + m2)*l1^2*m2*l2^2 - (m2*l1*l2*cos(theta1 - theta2))^2)";
    let paper = "m2*l1^2*l2^2*(m1 + m2*sin(theta1 - theta2)^2)";
    expect(&mut bench, determinant, paper, "m2*l1^2*l2^2*(m2*sin(theta1 - theta2)^2 + m1)");
    let first = "(-m2*l1*l2*theta2'^2*sin(theta1 - theta2) - (m1 + m2)*g*l1*sin(theta1))";
    let second = "(m2*l1*l2*theta1'^2*sin(theta1 - theta2) - m2*g*l2*sin(theta2))";
    let text = format!("({first}*m2*l2^2 - m2*l1*l2*cos(theta1 - theta2)*{second})/{determinant}");
    let paper = "-(m1*g*sin(theta1) + m2*sin(theta1 - theta2)*(g*cos(theta2) + l1*theta1'^2*cos(theta1 - theta2) \
                 + l2*theta2'^2))/(l1*(m1 + m2*sin(theta1 - theta2)^2))";
    let expected = "-(m2*(l1*theta1'^2*cos(theta1 - theta2) + l2*theta2'^2 + g*cos(theta2))*sin(theta1 - theta2) \
                    + m1*g*sin(theta1))/(l1*(m2*sin(theta1 - theta2)^2 + m1))";
    expect(&mut bench, &text, paper, expected);
    let text = format!("({second}*(m1 + m2)*l1^2 - m2*l1*l2*cos(theta1 - theta2)*{first})/{determinant}");
    let paper = "sin(theta1 - theta2)*((m1 + m2)*(g*cos(theta1) + l1*theta1'^2) \
                 + m2*l2*theta2'^2*cos(theta1 - theta2))/(l2*(m1 + m2*sin(theta1 - theta2)^2))";
    let ratio = bench.read(&text);
    let (written, nodes) = bench.written(&ratio);
    assert!(nodes <= bench.nodes(paper) + 2, "{written}");
}

#[test]
fn pendulum_in_cartesian_coordinates() {
    let mut bench = Bench::new("m g L", "x y").positive();
    let paper = "-x*(x'^2 + y'^2 - g*y)/(x^2 + y^2)";
    expect(&mut bench, "g*x*y/(x^2 + y^2) - x*(x'^2 + y'^2)/(x^2 + y^2)", paper, paper);
    let paper = "-(y*(x'^2 + y'^2) + g*x^2)/(x^2 + y^2)";
    expect(&mut bench, "-g + g*y^2/(x^2 + y^2) - y*(x'^2 + y'^2)/(x^2 + y^2)", paper, paper);
}

/// Numbers as they were given, roots together.
#[test]
fn numbers_and_roots() {
    let mut bench = Bench::new("m g L", "x y").positive();
    for text in ["x*sqrt(2*g*L)/sqrt(x^2 + y^2)^3 + 4.905*m*x + 0.3*L*y", "(x + y)/2", "9.81*m", "-x/3 + y/4"] {
        let ratio = bench.read(text);
        let (written, nodes) = bench.written(&ratio);
        assert!(nodes <= bench.nodes(text), "{text} as {written}");
    }
}
