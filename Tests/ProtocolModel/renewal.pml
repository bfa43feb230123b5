/*
 * Renewal of one OAuth login that several processes share. Promela, for Spin 6.5.
 * README.md says what is modelled and what is not; `check` runs every configuration.
 *
 * Sizes:
 *   CLIENTS   processes that need a usable access token
 *   ROUNDS    how often each of them asks
 *   EXPIRIES  how often all access tokens end, besides at the start
 *   FAULTS    how many faults may happen, of the kinds that are allowed, in any mixture
 * Kinds of fault:
 *   CRASH         kill -9 before any step
 *   LOSE_REQUEST  a request never reaches the server
 *   LOSE_REPLY    the server commits and the reply is lost; or a crash between commit and seal
 *   FAIL_WRITE    a keyring write reports failure; it may have landed all the same
 *   LATE_WRITE    a killed process's keyring write lands after its lock was freed
 *   DELAY         a lost request, or that of a crashed process, may reach the server later
 * Other actors:
 *   GRACE         0: a spent token is reuse; 1: the token spent last is accepted; 2: either
 *   SIGN_OUT      a person signs out once, without the lock where it is held
 *   SIGN_IN       and in again after that
 *   VENDOR_ENDS   the server ends the login by itself
 *   GIVE_UP       a waiter for the lock may give up and ask again later
 * Properties: EXPECT_A, EXPECT_KEPT (B, C), EXPECT_D, EXPECT_REJECTED; LTL `all_answered` (E).
 *   F and the plain assertions are checked in every configuration.
 * Rules left out, to show what each is for:
 *   NO_LOCK, READ_BEFORE_LOCK, NO_PENDING, UNLOCK_UNSAVED, REVOKE_ALWAYS, REPLAY_AT_ONCE,
 *   NO_NOTE, NO_LOOK_BACK, SIGN_IN_UNLOCKED, NO_SEAL, NO_PICK_UP
 */

#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef EXPIRIES
#define EXPIRIES 1
#endif
#ifndef FAULTS
#define FAULTS 0
#endif
#ifndef GRACE
#define GRACE 0
#endif

#ifdef CRASH
#define CRASHES (faults > 0)
#else
#define CRASHES false
#endif
#ifdef LOSE_REQUEST
#define LOSES_REQUEST (faults > 0)
#else
#define LOSES_REQUEST false
#endif
#ifdef LOSE_REPLY
#define LOSES_REPLY (faults > 0)
#define MAY_DIE (faults > 0)
#else
#define LOSES_REPLY false
#define MAY_DIE (faults > 0 && !at_risk)
#endif
#ifdef FAIL_WRITE
#define FAILS_WRITE (faults > 0)
#else
#define FAILS_WRITE false
#endif
#ifdef DELAY
#define DELAYS (stray == 0)
#else
#define DELAYS false
#endif

/* REACH=n asserts that witness n is not reached, to show that it is. */
#ifndef REACH
#define REACH 0
#endif
#define WITNESS(n) assert(REACH != n)

#define FREE 0
#define PERSON (CLIENTS + 1)    /* holds the lock for a sign-out or a sign-in */
#define TOKENS 14               /* more than are ever issued, which is asserted */
#define LOGINS 3                /* logins are 1 and 2 */
#define INVALID 0               /* the answer invalid_grant */

mtype = { absent, usable, rejected, interrupted };   /* the last two: ended */

/* ---- what the processes share ---- */

typedef Record {
  mtype kind;
  byte login;      /* the sign-in that it descends from */
  byte gen;        /* generation of the pair */
  byte token;      /* refresh token; they count up, so it also stands for the access token */
  bool pending     /* journal entry: an exchange of the token was begun */
}
Record record;     /* the keyring's */
#ifdef LATE_WRITE
Record late;       /* written by a process that is dead, on the way to the keyring */
#endif
Record sealed;     /* the file beside the lock: a pair that the keyring may not have yet */
byte sealed_for;   /* its key is that of the journal entry about this token; 0: no file */
byte note;         /* the login signed out last; kept outside the record */
byte lock;         /* flock */

/* ---- the authorization server ---- */

byte issued;             /* refresh tokens issued so far */
byte family[TOKENS];     /* the login that a token belongs to */
byte current[LOGINS];    /* a family's unspent token */
byte last[LOGINS];       /* the token that it spent last */
bool dead[LOGINS];       /* the family is ended */
byte stray;              /* token in a request that outlived its attempt */

/* ---- the adversary ---- */

byte faults = FAULTS;
byte expiries = EXPIRIES;
byte stale;              /* the access tokens issued up to this one have ended */

/* ---- ghosts: nothing in the protocol reads them ---- */

byte finished;           /* processes that have all their answers */
bool reply_lost[LOGINS]; /* the server issued a pair that nobody stored; until a later one is */
bool unrevoked;          /* a revocation did not reach the server */
bool vendor_ended;
bool over[LOGINS];       /* the sign-out took effect */
bool signed_in_again;
byte person_steps;       /* sign-out, sign-in: how many are done */
#ifdef EXPECT_A
bool sent[TOKENS];       /* an exchange of the token was sent */
#endif

/* ---- records ---- */

inline copy(to, from) {
  to.kind = from.kind; to.login = from.login; to.gen = from.gen; to.token = from.token;
  to.pending = from.pending
}

inline clear(r) {
  r.kind = absent; r.login = 0; r.gen = 0; r.token = 0; r.pending = false
}

/* Only the record with the journal entry has the key. */
#define OPENS(r) (r.pending && sealed_for != 0 && r.token == sealed_for)

inline unseal() { clear(sealed); sealed_for = 0 }

/* A record of the login that was signed out counts for nothing. */
#ifdef NO_NOTE
#define SIGNED_OUT(r) (false)
#else
#define SIGNED_OUT(r) (r.login == note)
#endif

/* Property F, after every write of a login. */
inline check_record() {
  assert(!over[record.login] || SIGNED_OUT(record))
}

/* ---- the server: each of these is one atomic step ---- */

inline issue(login_, token_) {
  issued++;
  assert(issued < TOKENS);
  family[issued] = login_; current[login_] = issued;
  token_ = issued
}

inline reuse(login_) {
#if defined(EXPECT_A) || defined(EXPECT_KEPT)
  assert(over[login_]);
#endif
#ifdef EXPECT_D
  assert(over[login_] || reply_lost[login_]);
#endif
  dead[login_] = true
}

/* Within grace a new pair is issued and the one that was never seen is superseded: of the servers
   that have a grace, the strictest. */
inline serve(old, answer) {
  if
  :: dead[family[old]] -> answer = INVALID
  :: !dead[family[old]] && old == current[family[old]] ->
     last[family[old]] = old; issue(family[old], answer)
  :: !dead[family[old]] && old == last[family[old]] && GRACE > 0 ->
     WITNESS(2); issue(family[old], answer)
  :: !dead[family[old]] && old != current[family[old]] &&
     (old != last[family[old]] || GRACE != 1) ->
     reuse(family[old]); answer = INVALID
  fi
}

#define ACCEPTS(t) \
  (!dead[family[t]] && (t == current[family[t]] || (t == last[family[t]] && GRACE == 1)))

/* Only an unspent token is sure to end its family: RFC 7009 lets a server ignore others. */
inline revoke(old) {
  if
  :: LOSES_REQUEST -> faults--; unrevoked = true
  :: old != current[family[old]] || dead[family[old]]
  :: old == current[family[old]] && !dead[family[old]] ->
     assert(over[family[old]]);
     dead[family[old]] = true
  fi
}

/* ---- a process that needs an access token ---- */

/* Every atomic block is a step. Before each the process may be killed; without LOSE_REPLY not
   between commit and save. */
#ifdef CRASH
#define STEP if :: MAY_DIE -> faults--; goto died :: true fi
#else
#define STEP skip
#endif

inline unlock() {
  if
  :: lock == me -> lock = FREE
  :: lock != me                                     /* NO_LOCK */
  fi
}

inline forget() {
  clear(mine); fresh = 0; replay = false; at_risk = false
}

inline try_later() { unlock(); forget() }

inline answered() { unlock(); forget(); rounds-- }

inline told_signed_out() {
  assert(over[1] && !signed_in_again);
  answered()
}

inline told_ended(how) {
  if
  :: how == interrupted -> WITNESS(3)
  :: how == rejected -> WITNESS(4)
  fi;
#if defined(EXPECT_A) || defined(EXPECT_KEPT)
  assert(false);
#endif
#ifdef EXPECT_D
  assert(reply_lost[mine.login] && how == interrupted);
#endif
#ifdef EXPECT_REJECTED
  assert(vendor_ended && how == rejected);
#endif
  answered()
}

/* The record is the one that this attempt began with. */
#define UNCHANGED \
  (record.kind == usable && !SIGNED_OUT(record) \
    && record.login == mine.login && record.gen == mine.gen)

/* Another pair of the same login is there. */
#define NEWER_PAIR \
  (record.kind != absent && !SIGNED_OUT(record) && record.login == mine.login)

inline write_renewed(to) {
  to.kind = usable; to.login = mine.login; to.gen = mine.gen + 1; to.token = fresh;
  to.pending = false;
  check_record()
}

proctype Client(byte me) {
  Record mine;             /* the record that the attempt began with */
  byte fresh;              /* refresh token of the new pair */
  bool replay;             /* a pending mark was there before this attempt */
  bool at_risk;            /* the new pair is in this process only */
  byte rounds = ROUNDS;

ask:
  if
  :: rounds == 0 -> goto done
  :: rounds > 0
  fi;
#ifdef READ_BEFORE_LOCK
  atomic { copy(mine, record) };
#endif
#ifndef NO_LOCK
  atomic {                                          /* 1. lock */
    if
    :: lock == FREE -> lock = me
#ifdef GIVE_UP
    :: lock != FREE -> goto ask
#endif
    fi
  };
#endif

  atomic {                                          /* 2. read again */
    STEP;
#ifndef READ_BEFORE_LOCK
    copy(mine, record);
#endif
    if
    :: mine.kind == absent -> told_signed_out(); goto ask
    :: mine.kind != absent && SIGNED_OUT(mine) -> goto leftover
    :: (mine.kind == rejected || mine.kind == interrupted) && !SIGNED_OUT(mine) ->
       told_ended(mine.kind); goto ask
    :: mine.kind == usable && !SIGNED_OUT(mine) && mine.token > stale ->
       /* The code looks for a sealed pair once the stored token has ended. */
       assert(!over[mine.login]);
       answered(); goto ask                         /* 3. usable: no exchange */
    :: mine.kind == usable && !SIGNED_OUT(mine) && mine.token <= stale
    fi;
#ifndef NO_PICK_UP
    if
    :: OPENS(mine) && sealed.gen > mine.gen -> copy(mine, sealed); goto pick_up
    :: !(OPENS(mine) && sealed.gen > mine.gen)
    fi;
#endif
    replay = mine.pending;
#if defined(DELAY) && !defined(REPLAY_AT_ONCE)
    if                                              /* the mark is younger than a request lives */
    :: replay && stray == mine.token -> try_later(); goto ask
    :: !replay || stray != mine.token
    fi
#endif
  };

#ifndef NO_PENDING
  atomic {                                          /* 4. journal entry */
    STEP;
    if
    :: mine.pending = true; copy(record, mine); check_record()
#ifdef LATE_WRITE
    :: MAY_DIE && late.kind == absent -> faults--;
       mine.pending = true; copy(late, mine); goto died
#endif
    :: FAILS_WRITE -> faults--;
       if
       :: mine.pending = true; copy(record, mine); check_record()   /* landed all the same */
       :: true
       fi;
       try_later(); goto ask                        /* nothing was spent */
    fi
  };
#endif

  atomic {                                          /* 5. send */
    STEP;
    if
    :: replay -> WITNESS(1)
    :: !replay
    fi;
#ifdef EXPECT_A
    assert(!sent[mine.token]);
    sent[mine.token] = true
#endif
  };
  atomic {                                          /* on the way */
    if
    :: serve(mine.token, fresh); at_risk = (fresh != INVALID)
    :: LOSES_REQUEST -> faults--; try_later(); goto ask
    :: LOSES_REQUEST && DELAYS -> faults--; stray = mine.token; try_later(); goto ask
    :: CRASHES -> faults--; goto died
    :: CRASHES && DELAYS -> faults--; stray = mine.token; goto died
    fi
  };
  atomic {                                          /* the reply */
    STEP;
    if
    :: LOSES_REPLY -> faults--;
       reply_lost[mine.login] = (reply_lost[mine.login] || at_risk);
       try_later(); goto ask                        /* the mark stays */
    :: fresh == INVALID -> goto refused
    :: fresh != INVALID
    fi
  };
  atomic {                                          /* seal */
    STEP;
    if
#ifndef NO_SEAL
    :: sealed.kind = usable; sealed.login = mine.login; sealed.gen = mine.gen + 1;
       sealed.token = fresh; sealed.pending = false; sealed_for = mine.token
    :: FAILS_WRITE -> faults--; goto store          /* the disk is full: at risk until saved */
#else
    :: true
#endif
    fi;
    at_risk = false
  };

store:
  atomic {                                          /* 6. read again */
    STEP;
    if
    :: UNCHANGED
#ifdef REVOKE_ALWAYS
    :: !UNCHANGED -> goto give_back
#else
    :: !UNCHANGED && record.token == fresh -> WITNESS(7); goto saved   /* it had landed */
    :: !UNCHANGED && record.token != fresh -> goto give_back
#endif
    fi
  };
  atomic {                                          /* save */
    STEP;
    if
    :: write_renewed(record); reply_lost[mine.login] = false
#ifdef LATE_WRITE
    :: MAY_DIE && late.kind == absent -> faults--; write_renewed(late); goto died
#endif
    :: FAILS_WRITE -> faults--;                     /* it is served from memory */
       if
       :: write_renewed(record); reply_lost[mine.login] = false
       :: true
       fi;
#ifdef UNLOCK_UNSAVED
       unlock(); goto save_later
#else
       goto store                                   /* the lock is kept until it is saved */
#endif
    fi
  };

saved:
  atomic { at_risk = false; STEP; unseal() };
  atomic {                                          /* look back: signed out during the save? */
    STEP;
#if !defined(NO_NOTE) && !defined(NO_LOOK_BACK)
    if
    :: mine.login == note -> WITNESS(6); goto give_back
    :: mine.login != note
    fi;
#endif
    answered(); goto ask                            /* 8. unlock */
  };

pick_up:                                            /* a dead process sealed a pair */
  atomic {
    STEP;
    WITNESS(10);
    if
    :: copy(record, mine); check_record(); unseal()
#ifdef LATE_WRITE
    :: MAY_DIE && late.kind == absent -> faults--; copy(late, mine); goto died
#endif
    :: FAILS_WRITE -> faults--
    fi;
    try_later(); goto ask
  };

#ifdef UNLOCK_UNSAVED
save_later:
  atomic {
    if
    :: MAY_DIE && CRASHES -> faults--; goto died
    :: lock == FREE -> lock = me; goto store
    fi
  };
#endif

give_back:
  atomic {                                          /* signed out meanwhile: revoked, not kept */
    STEP;
    unseal();
    if
#ifdef REVOKE_ALWAYS
    :: revoke(fresh)
#else
    :: NEWER_PAIR                                   /* revoking would end that one too: dropped */
    :: !NEWER_PAIR -> WITNESS(5); revoke(fresh)
#endif
    fi;
    goto clean
  };

refused:
  atomic {                                          /* 7. read again */
    STEP;
    if
    :: UNCHANGED
    :: !UNCHANGED -> try_later(); goto ask
    fi
  };
  atomic {                                          /* mark it ended */
    STEP;
    mine.kind = (replay -> interrupted : rejected);
    if
    :: copy(record, mine); record.pending = false
    :: FAILS_WRITE -> faults--
    fi;
    told_ended(mine.kind); goto ask
  };

leftover:                                           /* of a login signed out: revoked, removed */
  atomic {
    STEP;
    WITNESS(9);
    if
    :: OPENS(mine) && sealed.gen > mine.gen -> revoke(sealed.token); unseal()
    :: !(OPENS(mine) && sealed.gen > mine.gen) -> revoke(mine.token)
    fi
  };
clean:
  atomic {
    STEP;
    if
    :: record.kind != absent && SIGNED_OUT(record) -> clear(record)
    :: !(record.kind != absent && SIGNED_OUT(record))
    fi;
    try_later(); goto ask
  };

died:
  atomic {                    /* the kernel frees the lock, the memory is gone; it starts again */
    assert(faults < FAULTS);
    reply_lost[mine.login] = (reply_lost[mine.login] || (at_risk && record.token != fresh));
    unrevoked = (unrevoked || (fresh != INVALID && over[mine.login]));    /* it owed one */
    try_later(); goto ask
  };

done:
  atomic { finished++ }
}

/* ---- a person signs out, and in again; the rest of the world ---- */

#ifdef CRASH
#define PERSON_STEP if :: CRASHES -> faults--; goto cut_off :: true fi
#else
#define PERSON_STEP skip
#endif

inline person_unlock() {
  if
  :: lock == PERSON -> lock = FREE
  :: lock != PERSON
  fi
}

#ifdef SIGN_OUT
proctype SignOut() {
  byte login, token;
  atomic {
    if
    :: lock == FREE -> lock = PERSON
    :: lock != FREE                                 /* it waited long enough: without the lock */
    fi;
    login = record.login
  };
#ifndef NO_NOTE
  atomic { PERSON_STEP; note = login; over[login] = true };
#endif
  atomic {
    PERSON_STEP;
    if
    :: OPENS(record) && sealed.gen > record.gen -> token = sealed.token
    :: !(OPENS(record) && sealed.gen > record.gen) -> token = record.token
    fi
  };
  atomic { PERSON_STEP; clear(record); over[login] = true };
  atomic { PERSON_STEP; unseal() };
  atomic {
    PERSON_STEP;
    if
    :: token != 0 -> revoke(token)
    :: token == 0
    fi;
    goto finish
  };
cut_off:
  atomic { unrevoked = true };
finish:
  atomic { person_unlock(); person_steps++ }
}
#endif

#ifdef SIGN_IN
proctype SignIn() {
  byte token;
  atomic {
    person_steps == 1;
#ifndef SIGN_IN_UNLOCKED
    lock == FREE -> lock = PERSON
#endif
  };
  atomic {
    if
    :: !over[1] -> goto finish                      /* the sign-out was cut off at once */
    :: over[1] -> token = record.token
    fi
  };
  atomic {                                          /* a leftover is given back, as by a reader */
    if
    :: token != 0 -> revoke(token)
    :: token == 0
    fi
  };
  atomic {
    issue(2, record.token);
    record.kind = usable; record.login = 2; record.gen = 1; record.pending = false;
    signed_in_again = true
  };
finish:
  atomic { person_unlock(); person_steps++ }
}
#endif

proctype World() {
  byte nobody;
end:
  do
  :: atomic { expiries > 0 && stale < issued -> expiries--; stale = issued }
#ifdef DELAY
  :: atomic {
       stray != 0 ->
       if
       :: WITNESS(8); serve(stray, nobody);
          reply_lost[family[stray]] = (reply_lost[family[stray]] || nobody != INVALID);
          nobody = INVALID
       :: true                                      /* it is lost after all */
       fi;
       stray = 0
     }
#endif
#ifdef LATE_WRITE
  :: atomic { late.kind != absent -> copy(record, late); clear(late) }
#endif
#ifdef VENDOR_ENDS
  :: atomic { !vendor_ended -> vendor_ended = true; dead[1] = true }
#endif
  od
}

#if defined(SIGN_IN)
#define PERSON_STEPS 2
#elif defined(SIGN_OUT)
#define PERSON_STEPS 1
#else
#define PERSON_STEPS 0
#endif

init {
  byte i = 0;
  atomic {
    issue(1, record.token);
    record.kind = usable; record.login = 1; record.gen = 1;
    stale = 1;
    sealed.kind = absent;
#ifdef LATE_WRITE
    late.kind = absent;
#endif
    do
    :: i < CLIENTS -> i++; run Client(i)
    :: i == CLIENTS -> break
    od;
    i = 0;
#ifdef SIGN_OUT
    run SignOut();
#endif
#ifdef SIGN_IN
    run SignIn();
#endif
    run World()
  };

  /* At rest: every process has its answers, nothing is on the way. */
  atomic {
    finished == CLIENTS && person_steps == PERSON_STEPS && stray == 0;
    assert(lock == FREE);
    assert(record.kind != absent || (over[1] && !signed_in_again));
    assert(!signed_in_again || record.login == 2);
#ifdef EXPECT_A
    assert(record.gen == issued && record.token == issued);         /* one exchange a generation */
#endif
#if defined(EXPECT_A) || defined(EXPECT_KEPT)
    assert(record.kind == absent || over[record.login] ||
      (record.kind == usable && ACCEPTS(record.token)));
#endif
#ifdef EXPECT_D
    /* What the server would refuse now carries the mark, so that it will end as interrupted. */
    assert(over[record.login] || record.kind != usable || ACCEPTS(record.token) ||
      (reply_lost[record.login] && record.pending));
#endif
    /* The server keeps no unspent token of a login that was signed out, unless it was out of reach,
       a pair was lost, or the next reader will give it back. */
    assert(!over[1] || dead[1] || unrevoked || reply_lost[1] ||
      (record.kind == usable && record.login == 1 && record.token == current[1]))
  }
}

#ifdef GIVE_UP
ltl all_answered { <> (finished == CLIENTS) }
#endif
