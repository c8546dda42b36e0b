import { canonicalText } from '../../base/json/jsonText.ts';
import { present } from '../../base/json/present.ts';
import type { Change } from '../../plan/model/change.ts';
import { permitsOf } from '../../plan/model/permits.ts';
import { customKindFacts } from '../../schema/record/customKinds.ts';
import { writeDeclaration } from './declarations.ts';
import { savedPlanName } from './isSavedPlan.ts';
import type { SavedChange, SavedStack } from './savedForm.ts';
import { type Digest, type JudgedBy, type SavedPlan, savedFormatVersion } from './savedPlan.ts';

/**
 * The text of the file. Equal plans with equal fingerprints give equal texts; no sensitive value is in it: bodies are
 * written in their masked form.
 */
export function writeSavedPlans(plans: readonly SavedPlan[], digest: Digest): string {
  const stacks = plans.map(contentOf);
  const [only, second] = stacks;
  const content = second === undefined ? only : { gantry: savedPlanName, formatVersion: savedFormatVersion, stacks };
  const file = { ...content, digest: { method: digest.method, value: digest.of(canonicalText(content)) } };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function contentOf(saved: SavedPlan): SavedStack {
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
      ...present({ limits, rehearsed, undoes, storagePrice }),
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
    ...present({ fingerprints }),
    ...(judged === undefined ? {} : { judged: writeJudged(judged) }),
  };
}

function writeJudged({ policies, beside }: JudgedBy): NonNullable<SavedStack['judged']> {
  return { policies, beside: beside.map((resource) => writeDeclaration(resource, undefined)) };
}

/** The facts of the custom kinds in it, so that it can be applied where nothing else defines them. */
function kindsOf({ plan, declared, live, facts: relied }: SavedPlan): Pick<SavedStack, 'kinds'> {
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
    ...present({
      create: create?.masked,
      patch: patch?.masked,
      then: then?.masked,
      expected: expected?.masked,
      expectedThen: expectedThen?.masked,
    }),
  };
}
