(** A queue of jobs with priorities. *)

open Core

(** What is to be done. *)
type job = {
  title : string;
  priority : int;
}

type state =
  | Waiting
  | Running of job

and history = state list

type t
type level = [ `Low | `High ]

exception Full of string

(** The longest a queue may be. *)
val capacity : int

val push : ?front:bool -> t -> job -> t
val ( ++ ) : t -> t -> t

external clock : unit -> float = "queue_clock"

module type STORE = sig
  include Base.STORE with type t := t

  (** Opens the store. *)
  val create : string -> t

  val default : t
end

module Memory : STORE
module Make (S : STORE) : sig
  val clear : S.t -> unit
end

class type named = object
  method name : string
end

class worker : string -> object
  method take : t -> unit
end

include Comparable.S with type t := t
