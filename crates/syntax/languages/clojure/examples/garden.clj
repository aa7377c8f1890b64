;; Everything that grows.
(ns garden.core
  "Beds, plants and the weather."
  (:require [clojure.string :as str]
            [clojure.test :refer [deftest is testing]]
            [garden.seeds :refer :all]
            [garden.soil :as soil :refer [dig]]
            (garden.paths [gravel :as gravel] mulch)
            garden.tools)
  (:import (java.time LocalDate Instant)
           java.util.UUID))

(require '[clojure.set :as set] 'garden.shed)
(import java.io.File)

(def beds 12)
(def ^:private rows "How many rows a bed has." 6)
(def water-limit 3.5)
(def season :spring)
(defonce weather (atom {:rain 0}))

(declare harvest)

;; A plant needs a name.
(s/def ::name (s/and string? seq))

(defprotocol Growing
  "What can grow."
  (grow [this days] "Lets it grow.")
  (ripe? [this]))

(defrecord Plant [name height]
  Growing
  (grow [this days]
    (update this :height + days))
  (ripe? [_] (> height 10))
  Object
  (toString [_] (str/upper-case name)))

(deftype Seed [kind])

(extend-type String
  Growing
  (ripe? [s] (str/blank? s)))

(defn sow
  "Puts seeds into a bed."
  {:added "1.1"}
  ([bed] (sow bed 1))
  ([bed n]
   (->> (range n)
        (map #(->Seed %))
        (into bed)
        vec)))

(defn- ^String label [plant]
  (-> plant :name str/trim (str/join ["a"])))

(defmulti care :kind)

(defmethod care :rose [plant]
  (water plant 2))

(defmethod care :default [_] nil)

(defmacro with-rain
  "Runs the body while it rains."
  [& body]
  `(binding [*rain* true] ~@body))

#?(:clj
   (defn today [] (LocalDate/now)))

(let [cache (atom {})]
  (defn remember [k v]
    (swap! cache assoc k v)))

(deftest sowing
  (testing "an empty bed"
    (is (= 1 (count (sow []))))))

(comment
  (sow [] 3))
