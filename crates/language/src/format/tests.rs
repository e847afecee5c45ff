use super::super::compare::canonical;
use super::super::parse::{parse, parse_expression};
use super::super::random::Author;
use super::super::source::FileId;
use super::*;

/// Models of the language's own description.
pub(crate) const MODELS: [&str; 5] = [
    "\
title      Block on a rough incline (Udwadia 2005, example 2)
param      m = 2 kg, g = 9.81 m/s^2, mu = 0.2
coord      x: m, y: m
particle   block: m at (x, y)
gravity    (0, -g)
constraint plane: y = x*tan(30 deg)
friction   plane: coulomb(mu)
start      x = 0 m, x' = 4 m/s
run        until 3 s, every 0.01 s
",
    "\
title      Wheel on an incline, with its diagnosis
param      m = 2, R = 0.5, Ic = 0.25, alpha = pi/6, g = 9.81
coord      theta, y
kinetic    (m*R^2 + Ic)*theta'^2/2
potential  -m*g*y
constraint no_slip: y = R*theta*sin(alpha)
start      theta = 0
expect     theta'' = m*g*R*sin(alpha)/(m*R^2 + Ic)
run        until 5
",
    "\
# Block on a rough incline. Udwadia 2005, example 2.
param      m = 2 kg, g = 9.81 m/s^2, theta = 30 deg, mu = 0.2
coord      x: m, y: m
particle   block: m at (x, y)
gravity    (0, -g)
constraint plane: y = x*tan(theta)
friction   plane: coulomb(mu)
start      x = 0 m, x' = 1 m/s  # y and y' follow from plane
expect     at start x'' = -g*cos(theta)*(sin(theta) + mu*cos(theta))
",
    "\
param      N = 3, L = 1
particle   p[i in 1..N]: 1 in plane
let        p[0] = (0, 0), e(a) = (cos(a), sin(a))
constraint rod[i in 1..N]: norm(p[i] - p[i-1]) = L

# A part of its own.
part       arm[k in 1..2 where k /= 3]
  coord      q: rad, u: 1/s
  # Its energy.
  kinetic    q'^2/2, sum(i in 1..3, j in 1..3 where i /= j, q^i)

  # Nothing more.
connect    pin: arm[1].q = arm[2].q, off
event      hit: p[1].y < 0 and not (t < 1 or t > 2) -> stop, set p[1]' = (0, 0)
event      knock: p[2].y < 0 -> drop rod[1], impact pin, restitution = 0.5
event      swing: arm[1].q crosses -> record
draw[i in 1..N] line p[i-1] p[i], color = red
nonideal   rod[1] on p[1]: (0, -1)
nonideal   [1, 2]
hidden     find
free       zero
assemble
",
    "\
# Everything that holds in one direction.
param      N = 3, L = 2 m, r = 0.3
particle   p[i in 1..N]: 1 kg in plane
coord      a: rad
constraint floor[i in 1..N]: p[i].y >= 0, restitution = r/i
constraint rope: norm(p[1] - p[2]) <= L
constraint wall: p[3].x <= 5 m, restitution = 0.5, off
stop       turn: a in -30 deg..30 deg
stop       slide[i in 1..N]: p[i].x - L in -L..L+1 m, restitution = 0.2
stop       rest: a/2 in 0. ..5., off
friction   floor[i in 1..N]: coulomb(0.2)
event      touch[i in 1..N]: floor[i] catches -> record
event      slack: rope lets go -> stop
event      bang: slide[2].low catches -> record, set a' = 0
",
];

/// Models with bodies and joints, from the specification of the language.
pub(crate) const BODIES: [&str; 4] = [
    "\
title      Pendulum on a hinge with a dry bearing
param      m = 1 kg, L = 1 m, g = 9.81 m/s^2
body       arm: rod(L) of m, from (0, 0, 0) to (0, L, 0)
gravity    (0, 0, -g)
joint      pin: hinge(ground, arm), at (0, 0, 0), axis x
friction   pin: coulomb(0.1), radius = 5 mm
start      pin = 20 deg
output     load: norm(reaction(pin))
run        until 5 s
",
    "\
title      Bricard's mechanism: rank 29 of 30
param      g = 9.81
let        P[0] = (0, 0, 0), P[1] = (1, 0, 0), P[2] = (1, -1, 0), P[3] = (1, -1, 1),
           P[4] = (0, -1, 1), P[5] = (0, 0, 1)
let        n[0] = (0, 1, 0), n[1] = (0, 0, 1), n[2] = (1, 0, 0), n[i in 3..5] = n[i-3]
body       link[i in 1..5]: box(1, 0.1, 0.1) of 1, from P[i-1] to P[i]
gravity    (0, -g, 0)
joint      h[0]: hinge(ground, link[1]), at P[0], axis n[0]
joint      h[i in 1..4]: hinge(link[i], link[i+1]), at P[i], axis n[i]
joint      h[5]: hinge(link[5], ground), at P[5], axis n[5]
run        until 10
",
    "\
title      Disc that rolls, leans and turns
param      R = 0.5 m, g = 9.81 m/s^2, w = 6 1/s
body       coin: disc(R) of 1 kg, at (0, 0, R),
           turned x by 90 deg
gravity    (0, 0, -g)
joint      roll: rolling(coin, ground), at (0, 0, 0),
           axis z
start      coin.spin = -w*coin.e3 + w/12*(0, 0, 1)
run        until 10 s
",
    "\
title      Stewart platform: six legs of given length; their forces are the answer
param      N = 6, w = 2 1/s, g = 9.81 m/s^2, a = 1 m, c = 0.5 m
let        u(i) = pi/3*i + 0.2*(-1)^i, v(i) = pi/3*i - 0.25*(-1)^i
let        foot[i in 1..N] = a*(cos(u(i)), sin(u(i)), 0)
body       plate: disc(c) of 10 kg, at (0, 0, a)
let        head[i in 1..N] = plate(c*cos(v(i)), c*sin(v(i)), 0)
gravity    (0, 0, -g)
drive      leg[i in 1..N]: distance(foot[i], head[i]) = 1.07*a + 0.1*a*(1 - cos(w*t))
output     push[i in 1..N]: reaction(leg[i])
",
];

fn read(text: &str) -> Document {
    let (document, errors) = parse(FileId(0), text);
    assert!(errors.is_empty(), "{text}\n{errors:#?}");
    document
}

fn formatted(text: &str) -> String {
    format(&read(text), text).expect("nothing is broken")
}

#[test]
fn well_laid_out_models_stay_as_they_are() {
    for model in MODELS {
        assert_eq!(formatted(model), model);
    }
}

/// The pages break lines earlier than they must; once formatted, a model stays as it is.
#[test]
fn models_with_bodies_have_one_layout() {
    for model in BODIES {
        let once = formatted(model);
        assert_eq!(formatted(&once), once);
        assert_eq!(canonical(&read(&once)), canonical(&read(model)));
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&once), words(model));
    }
}

#[test]
fn clauses_have_one_layout() {
    for (typed, right) in [
        ("body arm:rod( L )of m ,from P to  Q,up n", "body       arm: rod(L) of m, from P to Q, up n\n"),
        (
            "body b: mass=2 kg,inertia=(1,2,3),at P,axes a (b+c)",
            "body       b: mass = 2 kg, inertia = (1, 2, 3), at P, axes a (b + c)\n",
        ),
        (
            "body c: disc(r) of m, turned x by 90 deg,then z by b , at P",
            "body       c: disc(r) of m, turned x by 90 deg, then z by b, at P\n",
        ),
        ("frame f[i in 1..3] on link[ i ]: at P+Q", "frame      f[i in 1..3] on link[i]: at P + Q\n"),
        (
            "joint j: universal( a,b ),off,axis x (y),at P , pitch=2 mm",
            "joint      j: universal(a, b), at P, axis x (y), pitch = 2 mm, off\n",
        ),
        ("joint j: slider(a, b), axis n-m, cut", "joint      j: slider(a, b), axis n - m, cut\n"),
        ("joint j: rod(P+Q on a, (Q) on b[1])", "joint      j: rod(P + Q on a, (Q) on b[1])\n"),
        ("drive d: distance(p,q)=w*t,off", "drive      d: distance(p, q) = w*t, off\n"),
        ("torque pin:M, link[2]:(0,0,1)", "torque     pin: M, link[2]: (0, 0, 1)\n"),
        ("formulation   bodies", "formulation bodies\n"),
        ("part l = \"l.holo\",at P with m=1", "part       l = \"l.holo\" with m = 1, at P\n"),
        ("part l,at P\n coord x", "part       l, at P\n  coord      x\n"),
    ] {
        assert_eq!(formatted(typed), right);
        assert_eq!(formatted(right), right);
    }
}

#[test]
fn long_bodies_go_on_after_a_comma() {
    let text = formatted(
        "body upper_arm_left: box(length_of_arm, width_of_arm, height_of_arm) of mass_of_arm, at (shoulder_x, shoulder_y, shoulder_z), turned x by first_angle, then z by second_angle\n",
    );
    let right = "\
body       upper_arm_left: box(length_of_arm, width_of_arm, height_of_arm) of mass_of_arm,
           at (shoulder_x, shoulder_y, shoulder_z), turned x by first_angle, then z by second_angle
";
    assert_eq!(text, right);
    assert_eq!(formatted(right), right);
}

#[test]
fn expressions_have_one_layout() {
    for (typed, right) in [
        ("m*( R*theta' ) ^2/2+Ic*theta'^2 / 2", "m*(R*theta')^2/2 + Ic*theta'^2/2"),
        ("-x^2-  -y", "-x^2 - -y"),
        ("a*-b", "a*-b"),
        ("2^ -3", "2^-3"),
        ("sum( i in 1 .. N-1 where i/=2,x[ i - 1 ]' )", "sum(i in 1..N-1 where i /= 2, x[i-1]')"),
        ("0.50*x + 1e-9", "0.50*x + 1e-9"),
        ("((x))", "((x))"),
        ("2 kg*m^2/s", "2 kg*m^2/s"),
        ("3 1/s", "3 1/s"),
        ("if(a<b and not(c>d),1,2)", "if(a < b and not (c > d), 1, 2)"),
    ] {
        let (expr, errors) = parse_expression(FileId(0), typed, 0);
        assert!(errors.is_empty(), "{typed}: {errors:#?}");
        assert_eq!(print_expression(&expr.expect("read")), right);
    }
}

#[test]
fn comments_and_empty_lines_stay() {
    let typed = "

# first


param m=2 kg,   # the mass
  # of the earth
  g = 9.81 m/s^2 # its pull
  # left over

coord x:m #where
part a # a part
     # inside
     coord y
     # still inside
# outside
constraint a: x=1, # one
    b: x = 2 # two
assemble


# the end
";
    let right = "\
# first

param      m = 2 kg,  # the mass
           # of the earth
           g = 9.81 m/s^2  # its pull
# left over

coord      x: m  # where
part       a     # a part
  # inside
  coord      y
  # still inside
# outside
constraint a: x = 1  # one
constraint b: x = 2  # two
assemble

# the end
";
    let right = right.replace("# where\n", "#where\n");
    assert_eq!(formatted(typed), right);
    assert_eq!(formatted(&right), right);
}

#[test]
fn long_statements_go_on_under_their_first_item() {
    let terms: Vec<String> = (1..=30).map(|i| format!("m[{i}]*x[{i}]'^2/2")).collect();
    let text = formatted(&format!("kinetic {}", terms.join(" + ")));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 3 && lines.iter().all(|line| line.len() <= 100), "{text}");
    assert!(lines[1..].iter().all(|line| line.starts_with("           + ")), "{text}");

    let items: Vec<String> = (1..=30).map(|i| format!("p{i} = {i} kg")).collect();
    let text = formatted(&format!("param {}", items.join(", ")));
    assert!(text.lines().all(|line| line.len() <= 100 && line.trim_end() == line), "{text}");
    assert_eq!(formatted(&text), text);
}

#[test]
fn what_could_not_be_read_is_not_rewritten() {
    let text = "param m = \ncoord x";
    assert_eq!(format(&parse(FileId(0), text).0, text), None);
}

/// parse∘print is the identity on every tree that can be built, and print∘parse on every text so printed.
#[test]
fn random_documents_survive_printing() {
    for seed in 0..400 {
        let document = Author::new(seed).document();
        let text = print(&document).expect("nothing is broken");
        let (parsed, errors) = parse(FileId(0), &text);
        assert!(errors.is_empty(), "seed {seed}\n{text}\n{errors:#?}");
        assert_eq!(canonical(&parsed), canonical(&document), "seed {seed}\n{text}");
        assert_eq!(format(&parsed, &text).as_deref(), Some(text.as_str()), "seed {seed}");
    }
}

/// Comments and line breaks thrown between the tokens of a text: formatting keeps the meaning and every comment, and
/// formatting again changes nothing.
#[test]
fn scattered_comments_survive_formatting() {
    for seed in 0..400 {
        let mut random = Author::new(seed);
        let text = print(&random.document()).expect("nothing is broken");
        let mut scattered = String::new();
        let mut count = 0;
        for line in text.lines() {
            let margin = line.len() - line.trim_start().len();
            for (which, word) in line.split_inclusive([',', '+', '(']).enumerate() {
                if which > 0 && !line.contains('"') && !line.contains("title") && random.below(6) == 0 {
                    count += 1;
                    let own = if random.below(3) == 0 { "\n      " } else { "" };
                    scattered.push_str(&format!(" {own}# {count}\n{:margin$}    ", ""));
                }
                scattered.push_str(word);
            }
            if random.below(4) == 0 {
                count += 1;
                scattered.push_str(&format!(" # {count}"));
            }
            scattered.push_str(&"\n".repeat(1 + random.below(3)));
        }
        let (before, errors) = parse(FileId(0), &scattered);
        if !errors.is_empty() {
            continue; // a line break has made a statement of a name
        }
        let once = format(&before, &scattered).expect("nothing is broken");
        let (after, errors) = parse(FileId(0), &once);
        assert!(errors.is_empty(), "seed {seed}\n{scattered}\n---\n{once}\n{errors:#?}");
        assert_eq!(canonical(&after), canonical(&before), "seed {seed}\n{scattered}\n---\n{once}");
        let texts = |document: &Document| document.comments.iter().map(|c| c.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&after), texts(&before), "seed {seed}\n{scattered}\n---\n{once}");
        let twice = format(&after, &once).expect("nothing is broken");
        assert_eq!(twice, once, "seed {seed}\n{scattered}");
    }
}

/// After an argument and a blank, `on` would make a point on a body of it.
#[test]
fn an_argument_of_a_drawing_does_not_begin_with_on() {
    let (_, diagnostics) = parse(FileId(0), "draw body (x, 0), on a planet\n");
    assert!(diagnostics.iter().any(crate::diagnostic::Diagnostic::is_error));
    assert_eq!(formatted("draw point tip on arm\n"), "draw       point (tip on arm)\n");
}
