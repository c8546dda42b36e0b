import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import {
  type ExplainedChoice,
  type ExplainedField,
  type ExplainedRequest,
  type ExplainedWay,
  type Explanation,
  type Proof,
  type Reason,
  reasons,
  sentences,
} from '../../change/explanation.ts';
import { actionWords, type Tone } from '../../change/words.ts';
import type { WrittenBy } from '../../manifest/live/writer.ts';
import { formatPosition } from '../../manifest/model/locatedProblem.ts';
import {
  faintLine,
  type Group,
  type Item,
  type Line,
  line,
  type Node,
  names,
  type Piece,
  proofLine,
  refusalNode,
  type Section,
  stackTitle,
  strong,
  type Values,
} from './tree.ts';

/** Why a plan changes one resource in this way. `path`: limits it to one path, if requested. */
export function explanationTree(explanation: Explanation, path?: string): Section {
  const isWhole = path === undefined;
  const { requests, proof, choices } = explanation;
  return {
    title: ['Explanation'],
    summary: stackTitle(explanation.stack, explanation.org),
    children: () =>
      compact([
        headGroup(explanation),
        isWhole ? group('What is sent', requests.map(requestNode)) : undefined,
        isWhole && proof !== undefined ? group('Proof', proofNodes(proof)) : undefined,
        fieldsOf(explanation, isWhole),
        group('Ways to write the patch', choices.map(choiceGroup)),
        isWhole ? group('What does not differ, and why', equal(explanation)) : undefined,
        isWhole ? group('Related resources and notes', surroundings(explanation)) : undefined,
      ]),
  };
}

function group(title: string, children: readonly Node[]): Group | undefined {
  return children.length === 0 ? undefined : { node: 'group', title: [strong(title)], children: () => children };
}

/** The planned action for the resource. */
export function headGroup(explanation: Explanation): Group {
  const { action, intended, reason, resource, liveVersion, owner, at, risk, proof } = explanation;
  const { sign, tone, will } = actionWords[action];
  return {
    node: 'group',
    title: [
      { name: sign, tone }, // as a name it is code in Markdown, and does not begin a list
      ' ',
      { name: resource, tone: 'strong' },
      ...(liveVersion === undefined ? [] : faint(` (version ${liveVersion})`)),
      ` ${will}${intended === undefined ? '' : ` (it would be: ${intended})`}`,
    ],
    children: () =>
      compact([
        reason === '' ? undefined : line('why: ', { name: reason }),
        at === undefined ? undefined : line('declared at ', { name: formatPosition(at) }),
        owner === undefined ? undefined : line('owned by ', { name: owner }),
        risk === undefined ? undefined : line(`risk: ${risk}`),
        proof === undefined ? undefined : proofLine(proof),
      ]),
  };
}

function requestNode({ method, then, body }: ExplainedRequest): Node {
  const title = then === true ? `then ${method}` : method;
  return body === undefined ? line(title) : { node: 'body', title, body };
}

function proofNodes({ holds, managed, untouched, against }: Proof): readonly Node[] {
  const declared = `${holds ? 'all' : 'only'} ${counted(managed, 'managed field')}`;
  const stays = untouched === 1 ? 'stays as it is' : 'stay as they are';
  return [
    line(
      `Applied to the live copy by the rules of the platform, the patch produces the declared values of ${declared}.`,
    ),
    line(`${counted(untouched, 'field')} that this stack does not manage ${stays}.`),
    ...against.map((path): Node => ({ ...line('Contradicted by: ', { name: path }), tone: 'refuse' })),
  ];
}

function fieldsOf({ fields, action }: Explanation, isWhole: boolean): Node | undefined {
  if (fields.length === 0) return action === 'keep' ? line(strong('Nothing differs.')) : undefined;
  return group(isWhole ? 'What differs' : 'Fields', fields.map(fieldItem));
}

/** A field with both values, each with its source. */
export function fieldItem(field: ExplainedField): Item {
  const { path, why, because, declared, live, risk } = field;
  const sign = why !== 'differs' ? '=' : live === undefined ? '+' : declared === undefined ? '-' : '~';
  const tones: Readonly<Record<typeof sign, Tone>> = { '=': 'faint', '+': 'add', '-': 'remove', '~': 'change' };
  return {
    ...{
      node: 'item',
      id: path,
      sign,
      tone: tones[sign],
      words: [],
      as: why === 'differs' ? 'different' : 'equal',
      weight: why === 'differs' ? 1 : 0,
    },
    aside: risk === undefined || risk === 'none' ? [] : faint(`  (risk: ${risk})`),
    children: () => [valuesOf(field), faintLine({ name: because })],
  };
}

function valuesOf({ path, declared, live, before, means, at, writer }: ExplainedField): Values {
  return {
    node: 'values',
    path,
    old: live,
    new: declared,
    rows: compact([
      declared === undefined
        ? undefined
        : ({
            word: 'declared',
            is: 'new',
            line: at === undefined ? [] : faint('  ', { name: formatPosition(at) }),
          } as const),
      live === undefined ? undefined : ({ word: 'live', is: 'old', line: written(writer) } as const),
      before === undefined ? undefined : { word: 'before', line: [{ value: before }] },
      live === undefined && writer !== undefined && writer !== null
        ? { word: 'removed', line: faint(...nameOf(writer)) }
        : undefined,
      means === undefined ? undefined : { word: 'left out', line: ['means ', { value: means }] },
    ]),
  };
}

function written(writer: WrittenBy | null | undefined): Line {
  if (writer === undefined) return [];
  return writer === null ? faint('  last writer unknown') : faint('  last written ', ...nameOf(writer));
}

type Plain = Exclude<Piece, { readonly text: string } | { readonly value: unknown }>;

function nameOf({ name, version, at }: WrittenBy): readonly Plain[] {
  return ['by ', { name }, ' at ', { name: at }, `, version ${version}`];
}

function faint(...pieces: readonly Plain[]): Line {
  return pieces.map((piece) =>
    typeof piece === 'string' ? { text: piece, tone: 'faint' } : { ...piece, tone: 'faint' },
  );
}

function choiceGroup({ path, then, chosen, rejected, impossible }: ExplainedChoice): Group {
  return {
    node: 'group',
    title: [{ name: path }, then === true ? ' (second step)' : ''],
    children: () => [
      {
        node: 'group',
        title: [{ text: '✓', tone: 'add' }, ' ', ...wayLine(chosen)],
        children: () => rejected.map((each) => faintLine(...wayLine(each))),
      },
      ...impossible.map(({ directives, because }) =>
        faintLine('✗ ', { name: directives.join(', ') }, ': ', { name: because }),
      ),
    ],
  };
}

function wayLine({ entries, leaves, bytes }: ExplainedWay): Line {
  const size = bytes === undefined ? '' : `, ${counted(bytes, 'byte')}`;
  return [{ name: entries.join(' + ') }, `: ${counted(leaves, 'changed leaf', 'changed leaves')}${size}`];
}

function equal({ equal: found, counts }: Explanation): readonly Node[] {
  const others = reasons.filter((why) => found.some((field) => field.why === why));
  return [
    ...compact(['same', 'platform'] as const, (why) => {
      const count = counts[why] ?? 0;
      return count === 0 ? undefined : line(`${counted(count, 'field')}: ${sentences[why]}`);
    }),
    ...others.map((why) =>
      sameReason(
        why,
        found.filter((field) => field.why === why),
      ),
    ),
  ];
}

/** More fields of one verdict are only counted. */
const mostNamed = 8;

function sameReason(why: Reason, found: readonly ExplainedField[]): Group {
  const more = found.length - mostNamed;
  return {
    node: 'group',
    isDeep: true,
    title: [`${counted(found.length, 'field')}: ${sentences[why]}`],
    children: () => [
      ...found.slice(0, mostNamed).map((field) => faintLine({ name: field.path }, '  ', ...sidesOf(field))),
      ...(more > 0 ? [faintLine(`and ${more} more`)] : []),
    ],
  };
}

function sidesOf({ declared, live, means, at }: ExplainedField): Line {
  const place: Line = at === undefined ? [] : [' (', { name: formatPosition(at) }, ')'];
  const sides: readonly Line[] = compact([
    declared === undefined ? undefined : ['declared ', { value: declared }, ...place],
    live === undefined ? undefined : ['live ', { value: live }],
    means === undefined || (declared !== undefined && live !== undefined)
      ? undefined
      : ['left out means ', { value: means }],
  ]);
  return sides.flatMap((side, index) => (index === 0 ? side : [', ', ...side]));
}

function surroundings(explanation: Explanation): readonly Node[] {
  const { waitsFor, takesAlong, hits = [], renamedFrom, via, refusals, notes } = explanation;
  return compact([
    via === undefined ? undefined : line('Deleted together with ', { name: via }, ', without a request of its own.'),
    renamedFrom === undefined
      ? undefined
      : line('Replaces ', { name: renamedFrom }, ', which is deleted once this resource exists.'),
    names('affects', hits, { tone: 'remove', after: ' of another owner' }),
    ...takesAlong.map(
      ({ id, owner }): Node => ({
        ...line('also deletes ', { name: id }, ', owned by ', { name: owner }),
        tone: 'remove',
      }),
    ),
    ...waitsFor.map(({ on, because }) => line('waits for ', { name: on }, ': ', { name: because })),
    ...refusals.map(refusalNode),
    ...notes.map((note) => line('note: ', { name: note })),
  ]);
}
