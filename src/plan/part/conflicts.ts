import { isObject, type JsonObject, type JsonValue, sameJson } from '../../base/json/json.ts';
import type { RecordContext } from '../../schema/record/context.ts';
import { quoted } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { Claimant } from '../claims/claims.ts';
import { type ItemPath, itemAt } from '../claims/items.ts';
import type { Refusal } from '../model/change.ts';
import { refusePart } from './partRefusals.ts';

/** A record before and after the change of a stack that owns only some of it. */
export interface BeforeAndAfter {
  readonly shape: ObjectShape;
  readonly context: RecordContext;
  readonly live: JsonObject;
  readonly target: JsonObject;
}

/** An item that must stay what it is. */
interface Untouchable {
  readonly path: ItemPath;
  /** Fields that others fill too, and that are looked at by themselves. */
  readonly open: readonly string[];
  /** The other stacks that claim it; empty if no tag names one. */
  readonly whose: readonly Claimant[];
}

/** A refusal for each item that the change would alter although somebody else had it first. */
export function conflicts(of: BeforeAndAfter, items: readonly Untouchable[]): readonly Refusal[] {
  const { shape, context, live, target } = of;
  return items.flatMap(({ path, open, whose }) => {
    const before = closed(itemAt(shape, live, path, context), open);
    const after = closed(itemAt(shape, target, path, context), open);
    return sameJson(before, after)
      ? []
      : [
          refusePart.conflict(
            pathText(path),
            whose.map(({ stack }) => stack),
          ),
        ];
  });
}

/** As paths are written for people. */
export function pathText(path: ItemPath): string {
  return path.map(quoted).join('.');
}

function closed(value: JsonValue | undefined, open: readonly string[]): JsonValue | undefined {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !open.includes(name)));
}
