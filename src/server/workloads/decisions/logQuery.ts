/** A query of logs, in the form of Loki's `query_range`. Times in milliseconds since 1970. */
export interface LogQuery {
  /** Labels with the values that they have to have. */
  readonly labels: ReadonlyMap<string, string>;
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
  readonly isNewestFirst: boolean;
}

const hourMs = 3_600_000;
const usualLimit = 100;
const mostLines = 5_000;

/** Throws what is wrong with it, in words: a selector of equal labels is all that is known of LogQL here. */
export function readLogQuery(parameters: URLSearchParams, nowMs: number): LogQuery {
  const limit = Number(parameters.get('limit') ?? usualLimit);
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > mostLines) {
    throw new RangeError(`limit is 1 to ${mostLines}`);
  }
  const toMs = timeIn(parameters, 'end') ?? nowMs;
  return {
    labels: labelsIn(parameters.get('query') ?? '{}'),
    fromMs: timeIn(parameters, 'start') ?? toMs - hourMs,
    toMs,
    limit,
    isNewestFirst: parameters.get('direction') !== 'forward',
  };
}

function labelsIn(query: string): ReadonlyMap<string, string> {
  const [, inside] = /^\s*\{(.*)\}\s*$/.exec(query) ?? [];
  if (inside === undefined) throw new RangeError('query is a selector: {gvc="shop", workload="web"}');
  const labels = new Map<string, string>();
  const rest = inside.replaceAll(/\s*(\w+)\s*=\s*"([^"\\]*)"\s*(?:,|$)/g, (_, label: string, value: string) => {
    labels.set(label, value);
    return '';
  });
  if (rest.trim() !== '') throw new RangeError(`query has only labels with equal values: ${rest.trim()} is not known`);
  return labels;
}

/** Nanoseconds or seconds since 1970, or ISO 8601. */
function timeIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  if (/^\d{16,}$/.test(text)) return Number(text.slice(0, -6));
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text);
  if (Number.isNaN(ms)) throw new RangeError(`${name} is a time: nanoseconds since 1970, or ISO 8601`);
  return ms;
}
