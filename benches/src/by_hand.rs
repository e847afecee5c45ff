//! The same equations written by hand, as a person would who wants them fast: sines and cosines once, constants formed
//! before, symmetric entries once.

/// The n-link pendulum in absolute angles.
pub struct Pendulum<const N: usize> {
    /// lᵢ lⱼ Σ m over the masses that both links carry.
    k: [[f64; N]; N],
    /// g lᵢ Σ m over the masses that link i carries.
    weight: [f64; N],
    /// M, row-major.
    pub mass: [[f64; N]; N],
    /// Q.
    pub force: [f64; N],
}

impl<const N: usize> Pendulum<N> {
    /// From the parameters of the model, by name.
    pub fn new(parameter: impl Fn(&str) -> f64) -> Self {
        let (g, mass) = (parameter("g"), |i: usize| parameter(&format!("m[{}]", i + 1)));
        let length = |i: usize| parameter(&format!("l[{}]", i + 1));
        let carried = |i: usize| (i..N).map(mass).sum::<f64>();
        Self {
            k: std::array::from_fn(|i| std::array::from_fn(|j| length(i) * length(j) * carried(i.max(j)))),
            weight: std::array::from_fn(|i| g * length(i) * carried(i)),
            mass: [[0.0; N]; N],
            force: [0.0; N],
        }
    }

    /// M and Q.
    #[inline(never)]
    #[allow(clippy::needless_range_loop)] // as one writes it by hand
    pub fn evaluate(&mut self, q: &[f64; N], v: &[f64; N]) {
        let mut sine = [0.0; N];
        let mut cosine = [0.0; N];
        let mut square = [0.0; N];
        for i in 0..N {
            (sine[i], cosine[i]) = q[i].sin_cos();
            square[i] = v[i] * v[i];
        }
        for i in 0..N {
            self.force[i] = -self.weight[i] * sine[i];
            self.mass[i][i] = self.k[i][i];
        }
        for i in 0..N {
            for j in 0..i {
                let entry = self.k[i][j] * (cosine[i] * cosine[j] + sine[i] * sine[j]);
                self.mass[i][j] = entry;
                self.mass[j][i] = entry;
                let turn = self.k[i][j] * (sine[i] * cosine[j] - cosine[i] * sine[j]);
                self.force[i] -= turn * square[j];
                self.force[j] += turn * square[i];
            }
        }
    }
}

/// Andrews' squeezing mechanism.
pub struct Andrews {
    /// Parameters that are needed at every state.
    p: [f64; 16],
    /// What the masses make of the others.
    k: [f64; 10],
    /// M, row-major.
    pub mass: [[f64; 7]; 7],
    /// Q.
    pub force: [f64; 7],
    /// A, row-major.
    pub a: [[f64; 7]; 6],
    /// b.
    pub b: [f64; 6],
}

impl Andrews {
    /// From the parameters of the model, by name.
    pub fn new(parameter: impl Fn(&str) -> f64) -> Self {
        let p = ["xb", "yb", "xc", "yc", "c0", "l0", "d", "e", "rr", "ss", "sc", "sd", "u", "zf", "zt", "drive"];
        let m: [f64; 8] = std::array::from_fn(|i| if i == 0 { 0.0 } else { parameter(&format!("m{i}")) });
        let j: [f64; 8] = std::array::from_fn(|i| if i == 0 { 0.0 } else { parameter(&format!("i{i}")) });
        let [da, e, ea, rr, ra, sa, sb] = ["da", "e", "ea", "rr", "ra", "sa", "sb"].map(&parameter);
        let [ta, tb, u, ua, ub, zf, zt, fa] = ["ta", "tb", "u", "ua", "ub", "zf", "zt", "fa"].map(&parameter);
        let k = [
            m[1] * ra * ra + m[2] * (rr * rr + da * da) + j[1] + j[2],
            m[2] * da * rr,
            m[2] * da * da + j[2],
            m[3] * (sa * sa + sb * sb) + j[3],
            m[4] * (e - ea) * (e - ea) + j[4],
            m[4] * zt * (e - ea),
            m[4] * (zt * zt + (e - ea) * (e - ea)) + j[4] + m[5] * (ta * ta + tb * tb) + j[5],
            m[6] * (zf - fa) * (zf - fa) + j[6],
            m[6] * u * (zf - fa),
            m[6] * ((zf - fa) * (zf - fa) + u * u) + j[6] + m[7] * (ua * ua + ub * ub) + j[7],
        ];
        Self { p: p.map(parameter), k, mass: [[0.0; 7]; 7], force: [0.0; 7], a: [[0.0; 7]; 6], b: [0.0; 6] }
    }

    /// M, Q, A and b.
    #[inline(never)]
    pub fn evaluate(&mut self, q: &[f64; 7], v: &[f64; 7]) {
        let [beta, theta, gamma, phi, delta, omega, epsilon] = *q;
        let [vb, vt, vg, vp, vd, vo, ve] = *v;
        let [xb, yb, xc, yc, c0, l0, d, e, rr, ss, sc, sd, u, zf, zt, drive] = self.p;
        let (sbe, cbe) = beta.sin_cos();
        let (sth, cth) = theta.sin_cos();
        let (sga, cga) = gamma.sin_cos();
        let (sph, cph) = phi.sin_cos();
        let (sde, cde) = delta.sin_cos();
        let (som, com) = omega.sin_cos();
        let (sep, cep) = epsilon.sin_cos();
        let (sbt, cbt) = (beta + theta).sin_cos();
        let (spd, cpd) = (phi + delta).sin_cos();
        let (soe, coe) = (omega + epsilon).sin_cos();

        let k = &self.k;
        let m = &mut self.mass;
        m[0][0] = k[0] - 2.0 * k[1] * cth;
        m[0][1] = k[2] - k[1] * cth;
        m[1][0] = m[0][1];
        m[1][1] = k[2];
        m[2][2] = k[3];
        m[3][3] = k[4];
        m[3][4] = k[4] + k[5] * sph;
        m[4][3] = m[3][4];
        m[4][4] = k[6] + 2.0 * k[5] * sph;
        m[5][5] = k[7];
        m[5][6] = k[7] - k[8] * som;
        m[6][5] = m[5][6];
        m[6][6] = k[9] - 2.0 * k[8] * som;

        let (dx, dy) = (xb + sd * cga + sc * sga - xc, yb + sd * sga - sc * cga - yc);
        let length = (dx * dx + dy * dy).sqrt();
        let pull = -c0 * (length - l0) / length;
        self.force = [
            drive - k[1] * vt * (vt + 2.0 * vb) * sth,
            k[1] * vb * vb * sth,
            pull * (dx * (sc * cga - sd * sga) + dy * (sd * cga + sc * sga)),
            k[5] * vd * vd * cph,
            -k[5] * vp * (vp + 2.0 * vd) * cph,
            -k[8] * ve * ve * com,
            k[8] * vo * (vo + 2.0 * ve) * com,
        ];

        let (bt, pd, oe) = (vb + vt, vp + vd, vo + ve);
        let by_theta = [d * sbt, -d * cbt];
        let by_beta = [by_theta[0] - rr * sbe, by_theta[1] + rr * cbe];
        let a = &mut self.a;
        for row in 0..6 {
            a[row][0] = by_beta[row % 2];
            a[row][1] = by_theta[row % 2];
        }
        a[0][2] = -ss * cga;
        a[1][2] = -ss * sga;
        a[2][3] = -e * cpd;
        a[3][3] = -e * spd;
        a[2][4] = zt * sde - e * cpd;
        a[3][4] = -zt * cde - e * spd;
        a[4][5] = zf * soe;
        a[5][5] = -zf * coe;
        a[4][6] = zf * soe - u * cep;
        a[5][6] = -zf * coe - u * sep;
        let (b2, bt2) = (rr * vb * vb, d * bt * bt);
        let tip = [b2 * cbe - bt2 * cbt, b2 * sbe - bt2 * sbt];
        let (g2, d2, pd2, e2, oe2) = (ss * vg * vg, zt * vd * vd, e * pd * pd, u * ve * ve, zf * oe * oe);
        self.b = [
            tip[0] - g2 * sga,
            tip[1] + g2 * cga,
            tip[0] - d2 * cde - pd2 * spd,
            tip[1] - d2 * sde + pd2 * cpd,
            tip[0] - e2 * sep - oe2 * coe,
            tip[1] + e2 * cep - oe2 * soe,
        ];
    }
}
