import {
  choice,
  count,
  described,
  flag,
  list,
  type Of,
  object,
  optional,
  ordinal,
  text,
} from '../../base/form/form.ts';

const texts = list(text);

const request = {
  number: described('From 1, in the order of the undisturbed run.', ordinal),
  method: text,
  path: text,
};

/** `rehearsal` of a plan in JSON: present with `plan --rehearse`, unless the plan is refused. */
export const rehearsalForm = described(
  'How the plan went in an embedded platform. It does not prove that the plan is safe. Only with --rehearse.',
  object({
    consistent: described('False: there is a problem, and the exit code is 1.', flag),
    requests: described('Requests that the undisturbed run sent.', count),
    points: described(
      'Points of interruption: before each request, and after each whose answer is lost.',
      object({
        tried: count,
        of: count,
        seed: optional(described('Of the sample, where one was drawn.', text)),
      }),
    ),
    stoodInFor: described('What was not read from the platform, and was simulated.', texts),
    proposed: described('List keys that the plan relies on and that the platform does not document.', texts),
    unreadReferrers: described(
      'What is deleted only if nothing else refers to it, where not all possible referrers were read.',
      texts,
    ),
    problem: optional(
      object({
        what: choice('apply', 'plan', 'state'),
        point: optional(
          described(
            'The point of interruption that did not converge.',
            object({ ...request, when: choice('before', 'after') }),
          ),
        ),
        request: optional(described('The request of the undisturbed run that went wrong.', object(request))),
        differences: described('What differed, as text without values.', texts),
      }),
    ),
  }),
);
export type RehearsalDocument = Of<typeof rehearsalForm>;
