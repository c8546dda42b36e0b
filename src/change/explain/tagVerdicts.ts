import { type JsonObject, own } from '../../base/json/json.ts';
import { appliedTag, ownerTag } from '../../manifest/model/ownTags.ts';
import { inside } from '../../patch/model/place.ts';
import { declaredTags } from '../../plan/claims/tagPlan.ts';
import { replacingTag } from '../../plan/record/replacementMark.ts';
import { matchPath } from '../../schema/shape/paths.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import type { Reason } from './reasons.ts';
import { below, top, type Verdict, type Walk } from './verdict.ts';

/** Each tag: what is declared is compared as text, and what is not declared belongs to somebody else. */
export function judgeTags(
  shape: ObjectShape,
  held: JsonObject,
  declared: JsonObject,
  protect: boolean | undefined,
  { ignore }: Pick<Walk, 'ignore'>,
): readonly Verdict[] {
  const wanted = declaredTags(declared, protect);
  const all = { ...held, ...wanted };
  const patterns = ignore.filter((pattern) => pattern.startsWith('tags'));
  const ignored = new Set(
    patterns.flatMap((pattern) =>
      pattern === 'tags' ? Object.keys(all) : matchPath(pattern, shape, { tags: all }).map((at) => String(at[1])),
    ),
  );
  return Object.keys(all)
    .sort()
    .map((key) => {
      const [has, wants] = [own(held, key), own(wanted, key)];
      const why: Reason =
        key === ownerTag || key === appliedTag || key === replacingTag || key.startsWith(`${appliedTag}.`)
          ? 'own-tag'
          : ignored.has(key)
            ? 'ignored'
            : wants === undefined
              ? 'foreign-tag'
              : has === wants
                ? 'same'
                : has !== undefined && String(has) === String(wants)
                  ? 'as-text'
                  : 'differs';
      const { place, held: pointer } = below(
        { ...top, place: inside(top.place, 'tags'), held: ['tags'], declared: ['tags'] },
        key,
      );
      return {
        path: place.path,
        why,
        ...(has === undefined ? {} : { heldAt: pointer }),
        ...(wants === undefined ? {} : { declaredAt: pointer }),
      };
    });
}
