use super::bench::Bench;

#[test]
fn explore() {
    let show = |bench: &mut Bench, text: &str, paper: &str| {
        let start = std::time::Instant::now();
        let ratio = bench.read(text);
        let read = start.elapsed();
        let start = std::time::Instant::now();
        let (out, nodes) = bench.written(&ratio);
        let write = start.elapsed();
        println!("{nodes:3} {:3}  {out}     [{read:?} {write:?}]", bench.nodes(paper));
    };
    let mut b = Bench::new("m g R Ic alpha", "theta y").positive();
    show(&mut b, "m*g*R*sin(alpha)/(m*R^2 + Ic)", "m*g*R*sin(alpha)/(m*R^2 + Ic)");
    show(&mut b, "m*g*R^2*(1 - cos(alpha)^2)/(m*R^2 + Ic)", "m*g*R^2*sin(alpha)^2/(m*R^2 + Ic)");
    let mut b = Bench::new("m1 m2 k1 k2", "x1 q1 q2").positive();
    show(&mut b, "-k1*x1/m1 + k2*q2/m1", "(k2*q2 - k1*x1)/m1");
    show(&mut b, "-(k2*q2 - k1*x1)/m1 - k2*q2/m2", "-(k2*q2 - k1*x1)/m1 - k2*q2/m2");
    show(
        &mut b,
        "-k1*k2^2*x1/(m2*(k1^2 + 2*k1*k2 + k2^2)) - k1*k2^2*q2/(m2*(k1 + k2)^2)",
        "-k1*k2^2*(x1 + q2)/(m2*(k1 + k2)^2)",
    );
    show(&mut b, "-k1*x1/m1", "-k1*x1/m1");
    let mut b = Bench::new("alpha gd a0 Fx Fy Fz", "x y z");
    let u = "sqrt(x'^2 + y'^2 + z'^2)";
    let p = format!("Fx + (alpha*gd - x'*Fx - y'*Fy + z'*Fz)*x'/{u}^2 - 2*a0*x'*z'^2/{u}");
    show(&mut b, &p, &p);
    let p = format!("Fz - (alpha*gd - x'*Fx - y'*Fy + z'*Fz)*z'/{u}^2 - 2*a0*z'*(x'^2 + y'^2)/{u}");
    show(&mut b, &p, &p);
    let mut b = Bench::new("m g theta mu k", "x y").positive();
    show(&mut b, "-m*g*tan(theta)/(1 + tan(theta)^2)", "-m*g*sin(theta)*cos(theta)");
    show(&mut b, "m*g/(1 + tan(theta)^2)", "m*g*cos(theta)^2");
    show(
        &mut b,
        "-mu*m*g*sign(x')*cos(theta)/(1 + tan(theta)^2)*cos(theta) - mu*m*g*sign(x')*sin(theta)^2*cos(theta)^2",
        "-mu*m*g*cos(theta)^2*sign(x')",
    );
    show(
        &mut b,
        "-mu*m*g*cos(theta)*(cos(theta) - sin(theta)*(sin(theta)*cos(theta)-cos(theta)*sin(theta)))*x'/abs(x')",
        "-mu*m*g*cos(theta)^2*sign(x')",
    );
    show(
        &mut b,
        "(-g*m + m*g*cos(theta)^2 - mu*m*g*cos(theta)*sin(theta)*sign(x'))/m",
        "-g + g*cos(theta)^2 - mu*g*cos(theta)*sin(theta)*sign(x')",
    );
    show(&mut b, "k*(1 - k*g)/(k^2+1) + (1 + 2*k)/(k^2+1) - k/(k^2+1)+ (k^2*g - k*g)/(1+k^2)", "(1+2*k-g*k)/(k^2+1)");
    let mut b = Bench::new("m1 m2 l1 l2 g", "theta1 theta2").positive();
    show(&mut b, "m2*l1*l2*cos(theta1 - theta2)", "m2*l1*l2*cos(theta1 - theta2)");
    show(&mut b, "m2*l1*l2*(cos(theta1)*cos(theta2) + sin(theta1)*sin(theta2))", "m2*l1*l2*cos(theta1 - theta2)");
    let det = "((m1+m2)*l1^2*m2*l2^2 - (m2*l1*l2*cos(theta1 - theta2))^2)";
    show(&mut b, det, "m2*l1^2*l2^2*(m1 + m2*sin(theta1-theta2)^2)");
    let q1 = "(-m2*l1*l2*theta2'^2*sin(theta1 - theta2) - (m1+m2)*g*l1*sin(theta1))";
    let q2 = "(m2*l1*l2*theta1'^2*sin(theta1 - theta2) - m2*g*l2*sin(theta2))";
    let a1 = format!("({q1}*m2*l2^2 - m2*l1*l2*cos(theta1 - theta2)*{q2})/{det}");
    let a2 = format!("({q2}*(m1+m2)*l1^2 - m2*l1*l2*cos(theta1 - theta2)*{q1})/{det}");
    show(
        &mut b,
        &a1,
        "-(m1*g*sin(theta1) + m2*sin(theta1-theta2)*(g*cos(theta2) + l1*theta1'^2*cos(theta1-theta2) + l2*theta2'^2))/(l1*(m1 + m2*sin(theta1-theta2)^2))",
    );
    show(
        &mut b,
        &a2,
        "sin(theta1-theta2)*((m1+m2)*(g*cos(theta1) + l1*theta1'^2) + m2*l2*theta2'^2*cos(theta1-theta2))/(l2*(m1 + m2*sin(theta1-theta2)^2))",
    );
    let mut b = Bench::new("m g L", "x y").positive();
    show(&mut b, "-x*(x'^2+y'^2 - g*y)/(x^2+y^2)", "-x*(x'^2+y'^2 - g*y)/(x^2+y^2)");
    show(&mut b, "-g + g*y^2/(x^2+y^2) - y*(x'^2+y'^2)/(x^2+y^2)", "(-g*x^2 - y*(x'^2+y'^2))/(x^2+y^2)");
    show(
        &mut b,
        "9.81*m*x/2 + 0.3*y*L + sqrt(2*g*L)*x/sqrt(x^2+y^2)^3",
        "9.81*m*x/2 + 0.3*y*L+ sqrt(2*g*L)*x/sqrt(x^2+y^2)^3",
    );
}
