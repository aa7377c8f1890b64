//! What every storage of an index has to hold to.

use scent_index::{Local, Lock, LockError};
use std::io::{Read, Write};
use std::time::Duration;

#[test]
fn a_manifest_is_replaced_only_where_it_is_the_expected_one() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Local::shared(folder.path());
    assert_eq!(storage.manifest().unwrap(), None);
    assert!(storage.publish(Some(b"one"), b"two").is_err(), "none yet");
    storage.publish(None, b"one").unwrap();
    assert!(storage.publish(None, b"two").is_err(), "there is one");
    assert_eq!(storage.manifest().unwrap().as_deref(), Some(&b"one"[..]));
    storage.publish(Some(b"one"), b"two").unwrap();
    assert!(storage.publish(Some(b"one"), b"three").is_err(), "another");
    assert_eq!(storage.manifest().unwrap().as_deref(), Some(&b"two"[..]));
}

#[test]
fn only_files_of_an_index_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Local::shared(folder.path());
    storage.publish(None, b"one").unwrap();
    for name in ["files-1", "facts-1", "facts-2", "notes.txt"] {
        storage.create(name).unwrap().write_all(b"text").unwrap();
    }
    storage.sweep(&|name| name == "facts-2");
    let mut names = storage.names();
    names.sort();
    assert_eq!(names, ["facts-2", "meta.json", "notes.txt"]);
    let mut text = String::new();
    let mut file = storage.open("facts-2").unwrap();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text, "text");
    storage.clear().unwrap();
    assert_eq!(storage.names(), ["notes.txt"]);
    assert_eq!(storage.manifest().unwrap(), None);
}

#[test]
fn a_lock_is_held_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let storage = Local::shared(&folder.path().join("new"));
    let lock = Lock::acquire(&storage, Duration::ZERO).unwrap();
    match Lock::acquire(&storage, Duration::ZERO) {
        Err(LockError::Held { holder }) => assert!(holder.starts_with("process "), "{holder}"),
        other => panic!("{other:?}"),
    }
    drop(lock);
    Lock::acquire(&storage, Duration::ZERO).unwrap();
}
