//! A pass with reservations that do not slide.

use super::plan::{Plan, Reserved};
use super::queue::{Queue, Waiting};
use super::running::Running;
use super::zones::Zones;
use crate::kernel::Pass;
use crate::time::Time;

/// Whether a holder's start has come.
pub fn any_due(queue: &Queue, now: Time) -> bool {
    let mut holders = queue.jobs()[..queue.kept()].iter();
    holders.any(|holder| holder.reserved().is_some_and(|reserved| reserved.from <= now))
}

/// Starts the holders whose time has come, and others by priority, and fills up the reservations to so many.
pub fn pass(queue: &mut Queue, reservations: usize, running: &mut Running, pass: &mut Pass<'_>) {
    let now = pass.now();
    let mut gone = Vec::new();
    for place in 0..queue.kept() {
        let waiting = &mut queue.jobs_mut()[place];
        if waiting.reserved().is_some_and(|reserved| reserved.from > now) {
            continue;
        }
        running.give_back(waiting);
        waiting.plan = None;
        if start(waiting, running, pass) {
            gone.push(place);
        } else {
            reserve(waiting, running, pass);
        }
    }
    queue.remove(&gone);
    queue.rank(now);
    gone.clear();
    let kept = queue.kept();
    let mut left = reservations.saturating_sub(kept);
    let others = &mut queue.jobs_mut()[kept..];
    let mut candidates: Vec<usize> =
        (0..others.len()).filter(|place| running.has_room(&others[*place])).collect();
    for place in 0..others.len() {
        // Reservations and starts only take away: who cannot start now will not in this pass.
        while candidates
            .pop_if(|last| *last < place || !running.can_start(&others[*last], Zones::ALL))
            .is_some()
        {}
        if candidates.is_empty() && left == 0 {
            break;
        }
        let waiting = &mut others[place];
        if start(waiting, running, pass) {
            gone.push(kept + place);
        } else if left > 0 {
            left -= 1;
            reserve(waiting, running, pass);
        }
    }
    queue.remove(&gone);
    queue.keep(reservations);
}

fn start(waiting: &Waiting, running: &mut Running, pass: &mut Pass<'_>) -> bool {
    let host = pass.cluster().hosts().and_then(|hosts| running.tightest(hosts, waiting, Zones::ALL));
    host.is_some_and(|host| running.start_waiting(pass, waiting, host))
}

fn reserve(waiting: &mut Waiting, running: &mut Running, pass: &mut Pass<'_>) {
    let Some(reserved) = running.earliest(waiting, None, Zones::ALL, (Zones::ALL, Time::ZERO)) else {
        return;
    };
    let Reserved { from, .. } = reserved;
    running.hold_reserved(waiting, reserved);
    waiting.plan = Some(Plan { reserved, rank: 0, freed: Zones::NONE, taken: Zones::NONE });
    pass.wake_at(from);
}
