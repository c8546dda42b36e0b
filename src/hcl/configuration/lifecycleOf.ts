import type { JsonObject } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { becomesReady } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { Lifecycle } from '../../manifest/model/manifest.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import { matchPath, namesOfPath } from '../../schema/shape/paths.ts';
import type { AttributePath } from '../diagnostic.ts';
import { type Block, type Expression, Reference } from '../expression.ts';
import { ownNames } from '../schema/ownAttributes.ts';
import type { ObjectValue } from '../value.ts';
import { attributePathOf } from '../values/attributePath.ts';
import { pathText } from '../values/manifestOf.ts';

/** The instructions of a manifest in Terraform's form. */
export interface LifecycleParts {
  readonly attributes: readonly (readonly [name: string, value: Expression])[];
  readonly blocks: readonly Block[];
  /** The names of those that Terraform has no equivalent for. */
  readonly unsupported: readonly string[];
}

/** Instructions for adopting a resource; a configuration has its import blocks for that. */
const unsupportedInstructions = ['retain', 'handOver', 'previously'] as const;

/** `config`: the attributes of the record, which contain the names of map members. */
export function lifecycleOf(
  kind: KnownKind,
  record: JsonObject,
  config: ObjectValue,
  lifecycle: Lifecycle,
): LifecycleParts {
  const { protect, replace, wait, waitTimeout, ignore = [] } = lifecycle;
  const ignored = [...new Set(ignore.flatMap((path) => attributePaths(kind, record, config, path)))];
  const waits = becomesReady(kind) ? wait : undefined;
  const timeouts =
    waitTimeout === undefined || !becomesReady(kind) ? undefined : { create: waitTimeout, update: waitTimeout };
  return {
    attributes: compact([
      protect === undefined ? undefined : ([ownNames.protected, protect] as const),
      replace === true ? ([ownNames.allowDataLoss, true] as const) : undefined,
      waits === undefined ? undefined : ([ownNames.waitForReady, waits] as const),
    ]),
    blocks: compact([
      timeouts === undefined ? undefined : { type: ownNames.timeouts, attributes: Object.entries(timeouts) },
      ignored.length === 0
        ? undefined
        : {
            type: 'lifecycle',
            attributes: [['ignore_changes', ignored.map((path) => new Reference(path))]] as const,
          },
    ]),
    unsupported: unsupportedInstructions.filter((name) => lifecycle[name] !== undefined && lifecycle[name] !== false),
  };
}

/** The attributes of the values that are marked as sensitive. */
export function markedAttributes(
  kind: KnownKind,
  record: JsonObject,
  config: ObjectValue,
  paths: readonly string[],
): readonly AttributePath[] {
  return paths.flatMap((path) =>
    matchPath(path, shapeOf(kind, record), record).map((pointer) => attributePathOf(kind, pointer, config)),
  );
}

/** The attributes at a path of the record; if it matches nothing, those of the field that it would be. */
function attributePaths(kind: KnownKind, record: JsonObject, config: ObjectValue, path: string): readonly string[] {
  const found = matchPath(path, shapeOf(kind, record), record);
  const pointers = found.length > 0 ? found : [namesOfPath(path).filter((name) => name !== '*')];
  return pointers.map((pointer) => pathText(attributePathOf(kind, pointer, config))).filter((text) => text !== '');
}
