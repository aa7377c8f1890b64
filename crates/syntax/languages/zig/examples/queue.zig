//! A queue of jobs.
const std = @import("std");
const Allocator = std.mem.Allocator;
pub const Clock = @import("clock.zig").Clock;
const List = @import("std").array_list.Managed;
const Pool = @import("pool.zig").Of(u8);
const c = @cImport(@cInclude("unistd.h"));
pub usingnamespace @import("names.zig");

const store = switch (@import("options").store) {
    .memory => @import("memory.zig"),
    .disk => @import("disk.zig"),
};
const lock = if (store.shared) @import("mutex.zig") else @import("no_lock.zig");
const stages = .{ @import("first.zig"), .last = @import("last.zig") };
const defaults = @as(Job.Options, @import("defaults.zon"));

/// How many jobs fit.
pub const limit: usize = 64;
var made: u32 = 0;
const low = 0;
const normal = 1;
const high = 2;

pub const Error = error{ Full, Closed };

pub const State = enum(u8) {
    open,
    closed,

    /// Whether more jobs may come.
    pub fn accepts(self: State) bool {
        return self == .open;
    }
};

const Payload = union(enum) {
    text: []const u8,
    number: i64,
};

const Handle = opaque {
    extern fn close(self: *Handle) void;
};

/// What is to be done.
pub const Job = packed struct {
    id: u32,
    next: ?*Job,
    clock: Clock,
    const Self = @This();

    // Runs it once.
    pub fn run(self: *Self, allocator: Allocator) Error!void {
        const copy = try allocator.dupe(u8, name(self.id));
        defer allocator.free(copy);
        log(copy);
    }

    const Options = struct {
        loud: bool = false,
    };
};

/// A queue of anything.
pub fn Queue(comptime T: type) type {
    return struct {
        items: [limit]T,
        count: usize,

        /// Adds one at the end.
        pub fn push(
            self: *@This(),
            item: T,
        ) Error!void {
            if (self.count == limit) return Error.Full;
            self.items[self.count] = item;
            self.count += 1;
        }
    };
}

extern "c" fn getpid() c_int;

fn name(id: u32) []const u8 {
    return if (id == 0) "first" else "other";
}

fn start(job: Job) Job {
    return Job{ .id = job.id, .next = null, .clock = job.clock };
}

test "a full queue refuses" {
    var queue: Queue(u8) = undefined;
    queue.count = limit;
    try std.testing.expectError(Error.Full, queue.push(1));
}

test name {
    _ = name(0);
}

comptime {
    _ = @embedFile("jobs.txt");
    _ = @import("fuzz.zig");
    std.testing.refAllDecls(@import("tests.zig"));
}
