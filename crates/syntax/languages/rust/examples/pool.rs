//! Connections that are used again.

#![allow(dead_code)]

extern crate alloc;

use std::fmt::{self, Debug};
use crate::wire::Frame as Packet;
use crate::traits::*;
pub use self::errors::PoolError;

type Slot<T> = Option<Box<T>>;
pub(crate) type Outcome<T, E = PoolError> = Result<T, E>;

const A: u8 = 1;
const B: u8 = 2;
const C: u8 = 3;
static D: &str = "d";

#[cfg(unix)]
mod unix;

/// Something that can be connected to.
pub trait Target: Debug + Send {
    type Connection: Closes;
    const RETRIES: usize = 3;

    async fn connect(&self) -> Outcome<Self::Connection>;

    fn name(&self) -> String {
        format!("{self:?}")
    }
}

/// Connections to one target.
pub struct Pool<T: Target, const N: usize = 8>
where
    T::Connection: Clone,
{
    target: T,
    slots: [Slot<T::Connection>; N],
}

pub struct Marker;
struct Meters(f64);

union Bits {
    word: u32,
    bytes: [u8; 4],
}

#[derive(Debug)]
#[non_exhaustive]
pub enum State<'a> {
    Idle,
    Busy { by: &'a str },
}

impl<T, const N: usize> Pool<T, N>
where
    T: Target,
{
    pub const LIMIT: usize = N;

    pub async fn take(&mut self) -> Outcome<T::Connection> {
        fn is_free<C>(slot: &Slot<C>) -> bool {
            slot.is_some()
        }
        let free = self.slots.iter().position(is_free);
        match free.and_then(|at| self.slots[at].take()) {
            Some(connection) => Ok(*connection),
            None => self.target.connect().await.map_err(Into::into),
        }
    }
}

impl<T: Target> Drop for Pool<T, 8> {
    fn drop(&mut self) {
        self.slots.iter_mut().for_each(drop_slot::<T>);
    }
}

impl<'a, T> From<&'a [T]> for State<'a> {
    fn from(_: &'a [T]) -> Self {
        State::Idle
    }
}

impl Iterator for Marker {
    type Item = u8;

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}

impl fmt::Display for Meters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} m", self.0)
    }
}

impl<T: Closes + ?Sized> Closes for Box<T> {}
impl Closes for [u8] {}
impl Closes for (u8, u8) {}
impl Closes for dyn Target<Connection = Packet> {}
impl<F> Closes for fn(F) -> bool {}
unsafe impl Send for *const Bits {}

pub mod errors {
    //! What can go wrong.

    pub mod codes {
        pub type Code = i32;
        pub const LATE: Code = 7;

        pub fn of(error: &super::PoolError) -> i32 {
            LATE
        }
    }

    #[derive(thiserror::Error, Debug)]
    pub struct PoolError(#[from] pub std::io::Error);
}

extern "C" {
    fn close(handle: i32) -> i32;
    static errno: i32;
}

macro_rules! slots {
    ($n:expr) => {
        [const { None }; $n]
    };
}

thread_local! {
    static DEPTH: Cell<u32> = Cell::new(0);
}

pub(crate) unsafe extern "C" fn on_exit() {}

/* Older than the rest. */
fn shared<T>(values: Vec<T>) -> impl Iterator<Item = T>
where
    T: Into<String> + 'static,
{
    let made: Vec<T> = Vec::<T>::with_capacity(values.len());
    let boxed: Box<dyn Fn(T) -> Marker> = Box::new(|_| Marker);
    let _ = (made as Vec<T>, boxed, Pool::<Local, 4>::LIMIT);
    let _ = values.iter().collect::<Seen<_>>();
    values.into_iter()
}
