//! What most of the program needs.

extern crate libc as sys;

pub mod clock;

use rand;
use anyhow as errors;
use {log, serde::Serialize, serde::Deserialize as Decode, crate::macros::*};

pub use crate::server::{Server, routes::Route, Handler as Answers, routes::Table as Routes, *};
pub use crate::pool::{self, sizes::*};
use crate::wire::{self as frames};

pub(crate) use std::{
    collections::{self, BTreeMap, HashMap as Map, hash_map::Entry},
    fmt::{self as format, Write as _, *},
    io::{prelude::*, net::Tcp as Stream},
};
use tokio::{
    net::{
        tcp::{self, Listener, split::Half, Stream as Socket, split::Whole as Both, *},
        udp::{self as datagrams, batch::*},
    },
};
use {
    chrono::{self, Duration, offset::Utc, Date as Day, offset::Local as Here, *},
    crate::{
        clock::{self, Tick, zones::Zone, Zones as Places, zones::Name as Place, *},
        limits::{self as bounds, sizes::*},
    },
    url::{self as address, host::*},
};
