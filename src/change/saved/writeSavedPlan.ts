import { canonicalText } from '../../base/json/canonicalText.ts';
import type { Change } from '../../plan/model/change.ts';
import { permitsOf } from '../../plan/model/permits.ts';
import { customKindFacts } from '../../schema/record/customKinds.ts';
import { writeDeclaration } from './declarations.ts';
import { savedPlanName } from './isSavedPlan.ts';
import type { SavedChange, SavedFile } from './savedForm.ts';
import { type Digest, type JudgedBy, type SavedPlan, savedFormatVersion } from './savedPlan.ts';

/**
 * The text of the file. Equal plans with equal fingerprints give equal texts; no sensitive value is in it: bodies are
 * written in their masked form.
 */
export function writeSavedPlans(plans: readonly SavedPlan[], digest: Digest): string {
  const stacks = plans.map((saved) => withDigest(contentOf(saved), digest));
  const [only, second] = stacks;
  const several = { gantry: savedPlanName, formatVersion: savedFormatVersion, stacks };
  const file = second === undefined ? only : withDigest(several, digest);
  return `${JSON.stringify(file, null, 1)}\n`;
}

function withDigest<Content extends object>(content: Content, digest: Digest) {
  return { ...content, digest: { method: digest.method, value: digest.of(canonicalText(content)) } };
}

function contentOf(saved: SavedPlan): Omit<SavedFile, 'digest'> {
  const { inputs, directives, fingerprints, judged } = saved;
  const { scope, wait, targets, excludes, limits, rehearsed, undoes, storagePrice } = saved.options;
  const { org, stack, changes, formatVersion: _format, ...plan } = saved.plan;
  const byId = new Map(changes.map((change) => [change.id, change]));
  return {
    gantry: savedPlanName,
    formatVersion: savedFormatVersion,
    org,
    stack,
    inputs,
    options: {
      scope,
      wait,
      targets,
      excludes,
      ...permitsOf(saved.options),
      ...(limits === undefined ? {} : { limits }),
      ...(rehearsed === undefined ? {} : { rehearsed }),
      ...(undoes === undefined ? {} : { undoes }),
      ...(storagePrice === undefined ? {} : { storagePrice }),
    },
    directives,
    unrevealed: [...saved.unrevealed],
    changes: changes.map(writeChange),
    ...plan,
    ...kindsOf(saved),
    declared: saved.declared.map((resource) => writeDeclaration(resource, byId.get(resource.id))),
    live: [...saved.live.values()].map(({ ref, uid, version, record }) => ({ ref, uid, version, record })),
    facts: saved.facts,
    secrets: saved.secrets,
    ...(fingerprints === undefined ? {} : { fingerprints }),
    ...(judged === undefined ? {} : { judged: writeJudged(judged) }),
  };
}

function writeJudged({ policies, beside }: JudgedBy): NonNullable<SavedFile['judged']> {
  return { policies, beside: beside.map((resource) => writeDeclaration(resource, undefined)) };
}

/** What is known of the custom kinds in it, so that it can be applied where nothing else defines them. */
function kindsOf({ plan, declared, live, facts: relied }: SavedPlan): Pick<SavedFile, 'kinds'> {
  const refs = [...plan.changes, ...declared, ...live.values(), ...relied].map(({ ref }) => ref.kind);
  const custom = [...new Set(refs)].flatMap((kind) => {
    const facts = customKindFacts(kind);
    return facts === undefined ? [] : [[kind, facts] as const];
  });
  return custom.length === 0 ? {} : { kinds: Object.fromEntries(custom.sort()) };
}

function writeChange({ create, patch, then, expected, expectedThen, ...change }: Change): SavedChange {
  return {
    ...change,
    ...(create === undefined ? {} : { create: create.masked }),
    ...(patch === undefined ? {} : { patch: patch.masked }),
    ...(then === undefined ? {} : { then: then.masked }),
    ...(expected === undefined ? {} : { expected: expected.masked }),
    ...(expectedThen === undefined ? {} : { expectedThen: expectedThen.masked }),
  };
}
