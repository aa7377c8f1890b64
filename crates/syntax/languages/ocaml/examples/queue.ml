(** A queue of jobs with priorities. *)

open Core
module Heap = Map.Make (Int)
module Clock = Core.Time

(** The longest a queue may be. *)
let capacity = 256
let retries = 3
let quiet = false
let name = "jobs"
let first = 0

(* What is to be done. *)
type job = {
  title : string;
  priority : int;
}
[@@deriving show]

type state =
  | Waiting
  | Running of job
  | Failed of exn

and history = state list

type level = [ `Low | `High ]

exception Full of string

external clock : unit -> float = "queue_clock"

(** Puts a job into the queue. *)
let push ?(front = false) queue (job : job) : job list =
  if List.length queue >= capacity then raise (Full job.title)
  else if front then job :: queue
  else queue @ [ job ]

let rec drain f = function
  | [] -> ()
  | job :: rest ->
    f job;
    drain f rest

and count = function
  | [] -> 0
  | _ :: rest -> 1 + count rest

let compare : job -> job -> int = Stdlib.compare
let titles = fun jobs -> jobs |> List.map (fun j -> j.title) |> sort
let longest names = List.(fold_left max 0 (map String.length names))
let ( ++ ) a b = push a b

module type STORE = sig
  type t

  (** Opens the store. *)
  val create : string -> t
  val default : t
end

module Memory : STORE = struct
  type t = (string, job) Hashtbl.t

  let create _ = Hashtbl.create 16
  let default = create "memory"
end

module Make (S : STORE) = struct
  include Memory

  (* Empties the store. *)
  let clear store = S.create @@ string_of_int store
end

class virtual worker label =
  object (self)
    inherit Thread.base
    val mutable busy = false

    (* Takes the next job. *)
    method take queue = drain self#run queue
    method private run job = print_endline (label ^ job.title)
  end

let%test "an empty queue has no jobs" = count [] = 0

let () = new worker "first" |> ignore
