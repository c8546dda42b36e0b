import type { NewPlan } from '../automation.ts';
import { isArray, isObject } from '../base/json/json.ts';
import { isMasked } from '../base/json/mask.ts';
import { compact } from '../base/json/present.ts';
import { valueThere } from '../base/json/valuesAt.ts';
import { withArticle } from '../base/text/article.ts';
import { suggest } from '../base/text/suggest.ts';
import { actionWords } from '../change/words.ts';
import { type LocatedProblem, renderProblem } from '../manifest/model/locatedProblem.ts';
import type { Action } from '../plan/model/change.ts';
import { type DeclarableKind, declarableKinds } from '../schema/record/kinds.ts';
import { type Declaration, errorsOf, type SynthOptions } from './declared.ts';
import type { Asymmetric, PartialManifest } from './partialManifest.ts';
import { planInMemory, type Rehearsed, type RehearseOptions } from './rehearse.ts';
import { isRehearsed, resourcesOf, type TestedResource } from './resources.ts';

/** The result of a matcher, in the protocol of vitest and jest. */
export interface Verdict {
  readonly pass: boolean;
  /** The problems, or with `.not` that there are none. */
  readonly message: () => string;
  readonly actual?: unknown;
  readonly expected?: unknown;
}

/** The number of resources for each action. Omitted ones must be 0, except for `keep`, which is not checked. */
export type PlanCounts = { readonly [Name in Action]?: number };

const mostListed = 20;

/** Whether a resource of this kind with all of this is declared, or live after a rehearsal. */
export function toHaveResource<Kind extends DeclarableKind>(
  subject: Declaration | Rehearsed,
  kind: Kind,
  partial?: PartialManifest<Kind>,
  options?: SynthOptions,
): Verdict {
  const expected = partial ?? {};
  const all = resourcesOf(subject, options);
  const tried = all
    .filter((resource) => resource.kind === kind)
    .map((resource) => ({ resource, differs: differences(expected, resource.content) }));
  const found = tried.find(({ differs }) => differs.length === 0);
  return {
    pass: found !== undefined,
    message: () => {
      if (found !== undefined) return `expected no such ${kind}, but there is ${described(found.resource)}`;
      const nearest = tried.toSorted((a, b) => weight(a.differs) - weight(b.differs))[0];
      return nearest === undefined ? noneOf(kind, all) : nearly(kind, nearest.resource, nearest.differs, tried.length);
    },
    actual: tried.map(({ resource }) => resource.masked),
    expected,
  };
}

function weight(differs: readonly Difference[]): number {
  return differs.reduce((sum, each) => sum + each.weight, 0);
}

function noneOf(kind: DeclarableKind, all: readonly TestedResource[]): string {
  const known: readonly string[] = declarableKinds();
  const near = known.includes(kind) ? undefined : suggest(kind, known);
  if (near !== undefined) return `there is no kind ${JSON.stringify(kind)}: did you mean ${near}?`;
  const ids = all.map(({ id }) => id);
  const more = ids.length > mostListed ? ` and ${ids.length - mostListed} more` : '';
  const others =
    ids.length === 0 ? 'there is nothing at all' : `there are ${ids.slice(0, mostListed).join(', ')}${more}`;
  return `expected ${withArticle(kind)}, but there is none: ${others}`;
}

function nearly(kind: DeclarableKind, nearest: TestedResource, differs: readonly Difference[], tried: number): string {
  const which = tried === 1 ? `the only ${kind} is` : `of ${tried} the nearest is`;
  return [
    `expected ${withArticle(kind)} that has all of this; ${which} ${described(nearest)}, where`,
    ...differs.map((difference) => `  ${lineOf(difference, nearest)}`),
  ].join('\n');
}

function described({ id, position }: TestedResource): string {
  return position === undefined ? id : `${id} (${position.file}:${position.line}:${position.column})`;
}

function lineOf({ path, expected, found }: Difference, { masked }: TestedResource): string {
  const shown = valueThere(masked, path);
  if (path.some((_, index) => isMasked(valueThere(masked, path.slice(0, index + 1)))))
    return `${pathText(path)} is sensitive, and is not what is expected`;
  if (found === undefined) return `${pathText(path)} is missing, expected ${valueText(expected)}`;
  return `${pathText(path)} is ${valueText(shown)}, expected ${expected === undefined ? 'nothing' : valueText(expected)}`;
}

function pathText(path: Difference['path']): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return /^[\w-]+$/.test(step) ? `${text}${text === '' ? '' : '.'}${step}` : `${text}[${JSON.stringify(step)}]`;
  }, '');
}

function valueText(value: unknown): string {
  if (isAsymmetric(value)) return String('toAsymmetricMatcher' in value ? asymmetricText(value) : value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 300 ? text : `${text.slice(0, 300)}…`;
}

function asymmetricText(value: object): unknown {
  const named: unknown = Reflect.get(value, 'toAsymmetricMatcher');
  return typeof named === 'function' ? Reflect.apply(named, value, []) : value;
}

/** Whether the declaration has no error. */
export function toBeValid(declaration: Declaration, options?: SynthOptions): Verdict {
  const errors = errorsOf(declaration, options);
  return {
    pass: errors.length === 0,
    message: () =>
      errors.length === 0
        ? 'expected a mistake, but what is declared is valid'
        : [
            `expected no mistake, but there ${errors.length === 1 ? 'is 1' : `are ${errors.length}`}:`,
            ...linesOf(errors),
          ].join('\n'),
  };
}

function linesOf(errors: readonly LocatedProblem[]): readonly string[] {
  return errors.map((error) => `  ${renderProblem(error)}`);
}

/**
 * Whether the plan has exactly these changes. For a stack it is made on an in-process platform starting with `from`.
 */
export async function toPlan(
  subject: Declaration | Rehearsed | NewPlan,
  counts: PlanCounts,
  options: RehearseOptions = {},
): Promise<Verdict> {
  const isPlanned = isRehearsed(subject) || isPlan(subject);
  const { plan, counts: found } = isPlanned ? subject : await planInMemory(subject, options);
  const wrong = countedActions.filter(
    (action) => (counts[action] ?? (action === 'keep' ? found.keep : 0)) !== found[action],
  );
  // A limit of the whole plan refuses it regardless of the counts.
  const pass = wrong.length === 0 && plan.refusals.length === 0;
  return {
    pass,
    message: () => {
      const said = `${pass ? 'expected another plan than' : 'expected the plan'} ${countsText(counts)}`;
      const changes = plan.changes.filter(({ action }) => action !== 'keep');
      const lines = changes.slice(0, mostListed).map(({ id, action, fields, refusals }) => {
        const paths = fields.map(({ path }) => path).join(', ');
        const why = refusals.map(({ message }) => message).join('; ') || (action === 'patch' ? paths : '');
        return `  ${action} ${id}${why === '' ? '' : `: ${why}`}`;
      });
      const more = changes.length > mostListed ? [`  and ${changes.length - mostListed} more`] : [];
      const refused = plan.refusals.map(({ message }) => `  refused: ${message}`);
      return [pass ? said : `${said}, but it is ${countsText(found)}`, ...refused, ...lines, ...more].join('\n');
    },
    actual: found,
    expected: counts,
  };
}

const countedActions: readonly Action[] = ['create', 'adopt', 'patch', 'replace', 'delete', 'forget', 'refuse', 'keep'];

function isPlan(subject: unknown): subject is NewPlan {
  return typeof subject === 'object' && subject !== null && 'plan' in subject && 'counts' in subject;
}

function countsText(counts: PlanCounts): string {
  const parts = compact(countedActions, (action) => {
    const count = counts[action] ?? 0;
    return count === 0 ? undefined : `${count} ${actionWords[action].todo}`;
  });
  return parts.length === 0 ? 'that does nothing' : `of ${parts.join(', ')}`;
}

/** A value that differs from the expected one. */
interface Difference {
  readonly path: readonly (string | number)[];
  readonly expected: unknown;
  readonly found: unknown;
  /** The number of expected values in it, at least 1. */
  readonly weight: number;
}

/**
 * The differences from an expected value. Of objects the given fields are compared, `undefined` for one that must be
 * absent; of lists every item in its place, and their length.
 */
function differences(expected: unknown, found: unknown, path: Difference['path'] = []): readonly Difference[] {
  const here = (weight = 1): readonly Difference[] => [{ path, expected, found, weight }];
  if (isAsymmetric(expected)) return expected.asymmetricMatch(found) ? [] : here();
  if (isArray(expected)) {
    if (!isArray(found) || found.length !== expected.length) return here(weightOf(expected));
    return expected.flatMap((item, index) => differences(item, found[index], [...path, index]));
  }
  if (isObject(expected)) {
    if (!isObject(found) || isArray(found)) return here(weightOf(expected));
    return Object.entries(expected).flatMap(([key, value]) =>
      differences(value, Object.hasOwn(found, key) ? found[key] : undefined, [...path, key]),
    );
  }
  return Object.is(expected, found) ? [] : here();
}

function isAsymmetric(value: unknown): value is Asymmetric {
  return typeof value === 'object' && value !== null && 'asymmetricMatch' in value;
}

/** The number of values in it. */
function weightOf(value: unknown): number {
  if (isAsymmetric(value) || typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, each) => sum + weightOf(each), 1);
}
