//! Items that macros are given.

bitflags! {
    /// What a door may do.
    #[derive(Clone, Copy)]
    pub struct Rights: u32 {
        const OPEN = 1;
        const CLOSE = 1 << 1;
    }
}

thread_local! {
    static DOORS: RefCell<Vec<Door>> = RefCell::new(Vec::new());
}

cfg_net! {
    use std::net::TcpStream;

    /// A door that is far away.
    pub struct Remote {
        stream: TcpStream,
    }

    impl Remote {
        /// Opens it.
        pub fn open(&mut self) -> Outcome {
            self.stream.send(Command::Open)
        }
    }
}

cfg_if! {
    if #[cfg(unix)] {
        fn knock() -> Sound {
            unix::knock()
        }
    } else {
        fn knock() -> Sound {
            Sound::None
        }
    }
}

fn close(doors: &[Door]) {
    assert!(doors.iter().all(Door::is_closed));
}
