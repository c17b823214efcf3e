; SPDX-FileCopyrightText: the microtet authors
; SPDX-License-Identifier: Apache-2.0
; The state that tables_take_state and packed_take_state (src/zstd) make is one of its table, whatever the bits are
; that it is made of: their words, of 32 bits, for Z3. EVA cannot follow x less x with its low bits cleared. It is run by
; wp.sh, which expects for each layout "sat" (there are such cells) and "unsat" (no cell of them leaves its table).
(set-logic QF_BV)
(declare-const all (_ BitVec 32))
(declare-const bits (_ BitVec 32))
(declare-const log (_ BitVec 32))
(define-fun one () (_ BitVec 32) #x00000001)
(define-fun from () (_ BitVec 32) (bvlshr all bits)) ; *from, behind it
(define-fun size () (_ BitVec 32) (bvshl one log))
(assert (bvule log #x00000009))
(assert (bvule bits log))

; tables: the cell's base leaves room for the bits. (unsigned)(all - (*from << bits) + (cell >> TABLES_BASE))
(push)
(declare-const base (_ BitVec 32))
(assert (bvule base size))
(assert (bvule (bvadd base (bvshl one bits)) size))
(check-sat)
(assert (not (bvult (bvadd (bvsub all (bvshl from bits)) base) size)))
(check-sat)
(pop)

; packed: the cell's counter has as many bits as the state's do not have; a state has the table's size added.
; zs_take: ((m - *bits) << n) + all
(push)
(declare-const counter (_ BitVec 32))
(assert (bvule (bvshl one (bvsub log bits)) counter))
(assert (bvult counter (bvshl #x00000002 (bvsub log bits))))
(check-sat)
(define-fun state () (_ BitVec 32) (bvadd (bvshl (bvsub counter from) bits) all))
(assert (not (and (bvule size state) (bvult state (bvshl size one)))))
(check-sat)
(pop)
