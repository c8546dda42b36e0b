import {
  amount,
  choice,
  count,
  described,
  flag,
  list,
  nullable,
  type Of,
  object,
  optional,
  text,
} from '../../base/form/form.ts';

const texts = list(text);

const race = object({
  id: text,
  outcome: described(
    'Ours was written on top of theirs, or given up. unsure: ours is there, its answer was lost, and nothing tells ' +
      'whether the platform itself or another writer has made the fields of `theirs` of it.',
    choice('written', 'stale', 'unsure'),
  ),
  from: described('The version that the plan was made from; 0 for none.', count),
  to: optional(described('Their last version; absent if the record was deleted, or if it is not known.', count)),
  theirs: described('Fields of theirs that are still there.', texts),
  notWritten: described('Fields of ours that were not written.', texts),
  by: described('Who wrote, from the audit trail; unknown where it does not say.', texts),
});

const reached = optional(
  described(
    'How far the change came; absent: its record is untouched. written: a later step is missing. ' +
      'deleted: it was to be replaced, and was not created again.',
    choice('written', 'deleted'),
  ),
);

const changeRun = object({
  id: text,
  outcome: described('ready: unchanged, and waited for.', choice('done', 'ready', 'failed', 'skipped')),
  already: optional(described('It was as planned already: another run may have written it.', choice(true))),
  unchanged: optional(
    described('The values that it takes from others have not moved: nothing was written.', choice(true)),
  ),
  reached,
  version: optional(described('The version that this run wrote, or found unchanged.', count)),
  endpoints: optional(
    described('Addresses at which a workload that admits somebody from outside, or a domain, answers.', texts),
  ),
  startedAt: optional(described('ISO 8601; absent: no step was started.', text)),
  elapsedMs: optional(described('Until its last step ended, waits included.', amount)),
});

/** `result` of a plan in JSON: what `apply` and `destroy` add. */
export const resultForm = described(
  'The outcome of the run: only in the output of apply and destroy, once something was run.',
  object({
    outcome: described(
      'Of the whole run. not-ready: everything was written, but something was not ready in time. ' +
        'partly: something was written or deleted, and something remains to ' +
        'be done. failed, stale: nothing was written.',
      choice('done', 'partly', 'not-ready', 'failed', 'stale', 'interrupted'),
    ),
    startedAt: optional(described('ISO 8601.', text)),
    elapsedMs: optional(amount),
    done: described('Ids, in the order in which they ended.', texts),
    ready: optional(described('Unchanged resources that were waited for, and are ready.', texts)),
    failed: list(object({ id: text, code: text, message: text, hint: optional(text), reached })),
    skipped: list(object({ id: text, because: text, reached })),
    changes: optional(
      described('Every resource that the run had to do with, in the order in which they ended.', list(changeRun)),
    ),
    requests: count,
    verified: described(
      'True: all of the plan is done, and was found as planned. False: something differs. Null: the run was interrupted, or a part of it failed or was skipped.',
      nullable(flag),
    ),
    verification: optional(
      described(
        'How it was verified. written: the versions of all written and declared records. full: everything was planned again.',
        choice('written', 'full'),
      ),
    ),
    compared: optional(
      described(
        'What the verification found as planned; absent where nothing was written, or something differs.',
        object({
          written: described('Records that the run wrote.', count),
          unchanged: described('Records that are declared and were not written.', count),
          deleted: described('Records that were deleted and no longer exist.', count),
          released: described('Records that the run let go of, and that are no longer owned.', count),
          rewritten: described('Somebody else wrote these since, and they still are as declared.', texts),
          notCompared: described('At a newer version than in the saved plan, which does not declare them.', texts),
        }),
      ),
    ),
    inDoubt: optional(
      described('How many values are no longer declared and stay, because another writer may have set them.', count),
    ),
    differences: optional(described('What verification found to differ from the plan.', texts)),
    interrupted: flag,
    races: optional(
      described('Records that another writer changed between the plan and the write of this run.', list(race)),
    ),
    notes: optional(described('What you have to know of how it was done.', texts)),
  }),
);
export type Result = Of<typeof resultForm>;
