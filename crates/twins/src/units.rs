//! Units in which a formulation is written: the same model in millimetres, minutes or tonnes.

/// How many of a formulation's units make one unit of the scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Units {
    /// 1000 writes metres as millimetres.
    pub length: f64,
    /// 1000 writes seconds as milliseconds.
    pub time: f64,
    /// 1000 writes kilograms as grams.
    pub mass: f64,
}

impl Units {
    /// The units of the scenario itself.
    pub const PLAIN: Units = Units { length: 1.0, time: 1.0, mass: 1.0 };

    /// A quantity of the dimension mass^m length^l time^t, as text that can stand in a product.
    pub fn write(&self, value: f64, m: i32, l: i32, t: i32) -> String {
        number(value * self.factor(m, l, t))
    }

    /// What one unit of the scenario is here.
    pub fn factor(&self, m: i32, l: i32, t: i32) -> f64 {
        self.mass.powi(m) * self.length.powi(l) * self.time.powi(t)
    }

    /// A length.
    pub fn length(&self, value: f64) -> String {
        self.write(value, 0, 1, 0)
    }

    /// A mass.
    pub fn mass(&self, value: f64) -> String {
        self.write(value, 1, 0, 0)
    }

    /// A moment of inertia.
    pub fn inertia(&self, value: f64) -> String {
        self.write(value, 1, 2, 0)
    }

    /// An acceleration.
    pub fn acceleration(&self, value: f64) -> String {
        self.write(value, 0, 1, -2)
    }

    /// The stiffness of a spring.
    pub fn stiffness(&self, value: f64) -> String {
        self.write(value, 1, 0, -2)
    }

    /// The stiffness of a torsion spring.
    pub fn torsion(&self, value: f64) -> String {
        self.write(value, 1, 2, -2)
    }

    /// An angular velocity or a frequency.
    pub fn rate(&self, value: f64) -> String {
        self.write(value, 0, 0, -1)
    }

    /// A point or a vector of lengths.
    pub fn point(&self, of: &[f64]) -> String {
        let parts: Vec<String> = of.iter().map(|x| self.length(*x)).collect();
        format!("({})", parts.join(", "))
    }

    /// Brings a length of the model back to the scenario's unit.
    pub fn back(&self, expression: &str) -> String {
        self.back_from(expression, 0, 1, 0)
    }

    /// Brings a quantity of the dimension mass^m length^l time^t back to the scenario's units.
    pub fn back_from(&self, expression: &str, m: i32, l: i32, t: i32) -> String {
        match self.factor(m, l, t) {
            1.0 => expression.to_string(),
            factor => format!("({expression})/{}", number(factor)),
        }
    }
}

/// A number with all its digits, in parentheses where it carries a sign.
pub fn number(value: f64) -> String {
    if value.is_sign_negative() && value != 0.0 { format!("({value:?})") } else { format!("{:?}", value.abs()) }
}

/// A vector of pure numbers.
pub fn vector(of: &[f64]) -> String {
    let parts: Vec<String> = of.iter().map(|x| number(*x)).collect();
    format!("({})", parts.join(", "))
}

#[test]
fn a_stiffness_in_millimetres_and_milliseconds() {
    let units = Units { length: 1000.0, time: 1000.0, mass: 1.0 };
    assert_eq!(units.stiffness(2.0), "2e-6");
    assert_eq!(units.length(-2.0), "(-2000.0)");
    assert_eq!(units.back("x"), "(x)/1000.0");
}
