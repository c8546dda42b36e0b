import { isArray, isObject, type JsonObject, listAt, objectAt, stringAt } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { compareText } from '../../base/text/compareText.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Call } from '../call/command.ts';
import { openItem } from '../call/item.ts';
import { optionNames } from '../call/refs.ts';
import { isoOf, timeOf } from '../call/times.ts';
import { showTable } from './get.ts';

const usualWindow = '1h';
/** The limit of the platform. */
const mostLines = 5_000;

/** `workload logs REF`: the last lines of a workload, oldest first, from the service that `/discovery` names. */
export async function runLogs(call: Call): Promise<Ending> {
  const { given } = call;
  const since = given.text('since') ?? usualWindow;
  const start = timeOf(since, Date.now());
  if (start === undefined) {
    throw new UsageError(`--since ${since} is not a valid time`, 'Give ISO 8601, or how long ago: 7d, 1h, 30m.');
  }
  const { api, ref, read } = await openItem(call);
  const [service] = await Promise.all([api.service('logs'), read()]);
  const [location] = optionNames(call, api, 'location');
  const labels = {
    ...{ gvc: ref.gvc, workload: ref.name, location },
    ...{ container: given.text('container'), replica: given.text('replica') },
  };
  const { max } = call.context.options;
  const query = new URLSearchParams({
    query: selector(labels),
    start: `${Date.parse(start)}000000`,
    limit: String(max < 1 ? mostLines : Math.min(max, mostLines)),
    direction: 'backward',
  });
  const answer = await api.get(`${service}/logs/org/${encodeURIComponent(api.org)}/loki/api/v1/query_range?${query}`);
  const items = linesIn(answer);
  await showTable(call, 'logline', items, { kind: 'list', itemKind: 'logline', items });
  return exitCode.ok;
}

/** Such as `{gvc="shop", workload="web"}`. */
function selector(labels: Readonly<Record<string, string | undefined>>): string {
  const said = compact(Object.entries(labels), ([label, value]) =>
    value === undefined ? undefined : `${label}=${JSON.stringify(value)}`,
  );
  return `{${said.join(', ')}}`;
}

/** The lines of all streams, ordered by time. */
function linesIn(answer: JsonObject): readonly JsonObject[] {
  const streams = listAt(objectAt(answer, 'data'), 'result').filter(isObject);
  const lines = streams.flatMap((stream) => {
    const labels = objectAt(stream, 'stream');
    // In a stream the newest line comes first, also among lines with the same time.
    return listAt(stream, 'values')
      .toReversed()
      .flatMap((value) => {
        const [nanoseconds, line] = isArray(value) ? value : [];
        if (typeof nanoseconds !== 'string' || typeof line !== 'string') return [];
        const [location, replica, container] = ['location', 'replica', 'container'].map(
          (label) => stringAt(labels, label) ?? '',
        );
        const time = isoOf(Number(nanoseconds.slice(0, -6))) ?? '';
        return [{ key: nanoseconds.padStart(20, '0'), line: { time, location, replica, container, line } }];
      });
  });
  return lines
    .toSorted((a, b) => compareText(a.key, b.key))
    .map(({ line: { location = '', replica = '', container = '', ...line } }) => ({
      ...line,
      location,
      replica,
      container,
    }));
}
