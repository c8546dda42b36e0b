import type { Kind } from '../schema/record/kinds.ts';
import type { Collections, Found } from './collections.ts';
import { type ApiError, isCode } from './http/apiError.ts';
import { inOrg } from './paths.ts';
import { isUnserved } from './reader.ts';

interface GapSource extends Pick<Collections, 'capabilities'> {
  readonly org: string;
  get(path: string, isOptional?: true): Promise<unknown>;
}

/** A kind that no platform has, to learn the answer to unknown kinds. */
const noKind = 'gantry-unknown';

/**
 * The kinds that may have more records than were found, and why. A kind that the platform does not know, while it lists
 * others, has no records. `isWanted`: something of the kind is declared, so it does not count as unknown.
 */
export async function fetchGaps(
  source: GapSource,
  kinds: readonly Kind[],
  found: readonly Found[],
  isWanted: (kind: Kind) => boolean,
): Promise<ReadonlyMap<Kind, string>> {
  const gaps = new Map<Kind, string>();
  const isListing = found.some(({ gap }) => gap === undefined);
  let unknown: Promise<string | undefined> | undefined;
  for (const [index, kind] of kinds.entries()) {
    const { gap, unserved } = found[index] ?? { resources: [] };
    if (gap === undefined) continue;
    if (isListing && unserved !== undefined && !(isWanted(kind) && found[index]?.resources.length !== 0)) {
      if (isCode(unserved, 'api.not-found', 'api.method')) continue;
      unknown ??= answerToUnknown(source);
      if (answerOf(unserved) === (await unknown)) continue;
    }
    gaps.set(kind, gap);
  }
  return gaps;
}

/** The answer to a kind that does not exist. */
async function answerToUnknown({ get, org, capabilities }: GapSource): Promise<string | undefined> {
  try {
    await get(`${inOrg(org)}${noKind}`, true);
    return undefined;
  } catch (error) {
    if (!isUnserved(error)) throw error;
    if (!isCode(error, 'api.not-found')) capabilities.learn('read.unknown-kind', 'otherwise');
    return answerOf(error);
  }
}

function answerOf({ code, status }: ApiError): string {
  return `${code} ${status}`;
}
