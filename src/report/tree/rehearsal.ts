import { compact } from '../../base/json/present.ts';
import { firstLines, firstOf } from '../../base/text/firstOf.ts';
import type { RehearsalDocument } from '../../change/documents/rehearsalDocument.ts';
import { type Group, type Line, line, type Node, strong } from './tree.ts';

/** More than these are only counted. */
const most = 10;

/** The result of a plan's rehearsal. It never claims safety: the plan was tried, not proven. */
export function rehearsalGroup(rehearsal: RehearsalDocument): Group {
  const { problem, requests, stoodInFor, proposed, unreadReferrers } = rehearsal;
  const isEmpty = problem === undefined && requests === 0;
  return {
    node: 'group',
    title: [
      strong('Rehearsal:'),
      ' ',
      ...(isEmpty ? ['nothing to send; a new plan is empty too.'] : ending(rehearsal)),
    ],
    children: () =>
      isEmpty
        ? []
        : compact([
            problem === undefined ? undefined : happened(rehearsal, problem),
            named('Not read from the platform; simulated in the rehearsal', stoodInFor),
            named(
              'Relies on list keys that the platform does not document (if it uses other keys, the apply stops with ' +
                'apply.divergence)',
              proposed,
            ),
            named('Deleted only if nothing else refers to it; not all possible referrers were read', unreadReferrers),
          ]),
  };
}

function ending({ problem, requests, points }: RehearsalDocument): Line {
  if (problem !== undefined) return [{ text: 'not consistent; the plan is refused.', tone: 'refuse' }];
  const untried = points.tried === 0 && points.of > 0 ? ['; --rehearse=crash tries them'] : [];
  const sample = points.seed === undefined ? untried : ['; a sample, seed ', { name: points.seed }];
  return [
    `consistent in rehearsal: ${requests} requests, ${points.tried} of ${points.of} interruption points`,
    ...sample,
    '.',
  ];
}

function named(what: string, names: readonly string[]): Node | undefined {
  return names.length === 0 ? undefined : line(`${what}: `, { name: firstOf(names, most) });
}

type Problem = NonNullable<RehearsalDocument['problem']>;

function happened(rehearsal: RehearsalDocument, problem: Problem): Group {
  return {
    node: 'group',
    title: [...whatHappened(rehearsal, problem), ':'],
    children: () => firstLines(problem.differences, most).map((name) => line({ name })),
  };
}

function whatHappened({ requests, points }: RehearsalDocument, { what, point, request }: Problem): Line {
  if (point !== undefined) {
    const before = ` (${points.tried} of ${points.of} points converged before it), ${afterwards[what]}`;
    const lost = point.when === 'before' ? '' : ', its answer lost';
    return [`Interrupted ${point.when} `, ...numbered(point), ` of ${requests}${lost}${before}`];
  }
  if (what === 'plan') return ['After the run, a new plan is not empty'];
  return request === undefined ? ['The run failed'] : ['The run failed at ', ...numbered(request)];
}

const afterwards: Readonly<Record<Problem['what'], string>> = {
  apply: 'applying a new plan fails',
  state: 'planning and applying again ends in a different state',
  plan: 'after planning and applying again, the plan is still not empty',
};

function numbered({ number, method, path }: NonNullable<Problem['request']>): Line {
  return [`request ${number} (${method} `, { name: path }, ')'];
}
