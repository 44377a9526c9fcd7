//! Links between clusters as the slides have them: the demands, the five steps of the allotment, and max-min fairness found by bisection.

/// What a job with so many nodes on each cluster demands of each link.
pub fn demands(nodes: &[u32], bandwidth: f64) -> Vec<f64> {
    let total: u32 = nodes.iter().sum();
    let split = nodes.iter().filter(|there| **there > 0).count() > 1;
    let of = |there: &u32| {
        let outside = f64::from(total - there) / f64::from(total - 1);
        if split { outside * (bandwidth * f64::from(*there)) } else { 0.0 }
    };
    nodes.iter().map(of).collect()
}

/// The five steps: what each job, by its demands on all links, is allotted on each.
pub fn five_steps(demands: &[Vec<f64>], bandwidth: f64, printed: bool) -> Vec<Vec<f64>> {
    let links = demands.first().map_or(0, Vec::len);
    let total = |link: usize| demands.iter().map(|job| job[link]).sum::<f64>();
    // Step 1.
    let mut allotted = demands.to_vec();
    let mut available = vec![bandwidth; links];
    let mut unconstrained = vec![true; demands.len()];
    loop {
        // Step 2.
        let ratio = |link: usize| {
            let jobs = allotted.iter().zip(&unconstrained).filter(|(_, open)| **open);
            let wanted: f64 = jobs.map(|(job, _)| job[link]).sum();
            if wanted > 0.0 { available[link] / wanted } else { f64::INFINITY }
        };
        let ratios: Vec<f64> = (0..links).map(ratio).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        if least >= 1.0 {
            return allotted;
        }
        // Step 3.
        let worst = ratios.iter().position(|ratio| *ratio == least).unwrap();
        let factor = if printed { bandwidth / total(worst) } else { least };
        for job in 0..demands.len() {
            if unconstrained[job] && demands[job][worst] > 0.0 {
                // Step 4.
                unconstrained[job] = false;
                for link in 0..links {
                    allotted[job][link] *= factor;
                    available[link] -= allotted[job][link];
                }
            }
        }
    }
}

/// The max-min fair fractions of the demands: the level of all rises until a link is full, whose jobs stay there, and so on.
pub fn fair_fractions(demands: &[Vec<f64>], bandwidth: f64) -> Vec<f64> {
    let links = demands.first().map_or(0, Vec::len);
    let mut fixed: Vec<Option<f64>> = vec![None; demands.len()];
    let load = |fixed: &[Option<f64>], level: f64, link: usize| -> f64 {
        demands.iter().zip(fixed).map(|(job, fixed)| job[link] * fixed.unwrap_or(level)).sum()
    };
    loop {
        let fits = |level: f64| (0..links).all(|link| load(&fixed, level, link) <= bandwidth * (1.0 + 1e-13));
        let (mut low, mut high) = (0.0, 1.0);
        if fits(1.0) {
            return fixed.into_iter().map(|fixed| fixed.unwrap_or(1.0)).collect();
        }
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if fits(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        let full: Vec<usize> =
            (0..links).filter(|link| load(&fixed, low, *link) >= bandwidth * (1.0 - 1e-9)).collect();
        for (job, fixed) in demands.iter().zip(&mut fixed) {
            if fixed.is_none() && full.iter().any(|link| job[*link] > 0.0) {
                *fixed = Some(low);
            }
        }
    }
}
