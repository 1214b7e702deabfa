//! Entering what changes in who may come in: decided like everything else, on what is on disk and on its way there.

use std::sync::Arc;

use assize_kernel::{Actor, Draft, Moment, Record};

use super::room::Room;
use super::sitting::{Answered, Sitting};
use super::{Answer, ClerkError, Petition};
use crate::access::{AccessCommand, Known, Ruling, access_stream, decide};

impl Sitting {
    /// Decides a petition to the engine itself.
    pub(super) fn hear_access(&mut self, room: &mut Room, petition: &Petition) -> Answered {
        let Some(command) = petition.command.downcast_ref::<AccessCommand>() else {
            return Err(ClerkError::Broken("no command of the engine's".into()));
        };
        let (at, actor) = (petition.at, &petition.actor);
        let on_their_way = room.flights.iter().flat_map(|flight| &flight.access);
        let known = Known::on_disk(&*room.ledger).with(on_their_way.chain(&*self.access()));
        let ruling = decide(command, (at, actor), &known)?;
        Ok(Answer { records: self.enter_access(room, ruling, at, actor), repeated: false })
    }

    /// Records a change, and has it made with the record.
    pub(super) fn enter_access(
        &mut self,
        room: &mut Room,
        Ruling { kind, body, changes }: Ruling,
        at: Moment,
        actor: &Actor,
    ) -> Vec<Arc<Record>> {
        room.trail.version += 1;
        self.access().extend(changes);
        let draft = Draft::of_engine(access_stream(), room.trail.version, kind, at, actor, body);
        self.seal(vec![draft])
    }
}
