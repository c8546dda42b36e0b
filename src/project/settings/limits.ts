import { choice, count, described, list, map, pathOf, type Reader, textLike, value } from '../../base/form/read.ts';
import { isArray } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { isTimeZone, type Limits, limitKeys, type TimeWindow, timeOfDay, weekdays } from '../../plan/model/limits.ts';
import { risks } from '../../schema/facts/risk.ts';
import { object } from './setting.ts';

const example = '{days: [mon, tue], from: "09:00", to: "17:00", timezone: Europe/Berlin}';

const time = textLike((given) => timeOfDay.test(given), 'a time of day such as "09:00"', {
  type: 'string',
  pattern: timeOfDay.source,
});

const timezone = value(isTimeZone, 'a time zone by its IANA name, such as Europe/Berlin or UTC', {
  type: 'string',
  minLength: 1,
});

const windowMembers = object(
  { days: list(choice(...weekdays), 'a list such as `days: [mon, tue]`'), from: time, to: time, timezone },
  `window: ${example}`,
  true,
);

const oneWindow: Reader<TimeWindow> = {
  schema: { ...windowMembers.schema, required: ['timezone'] },
  read(given, at) {
    const { days = weekdays, from = '00:00', to = '24:00', timezone: zone } = windowMembers.read(given, at);
    if (zone === undefined) throw at.bad(`needs a timezone, as in \`window: ${example}\``);
    if (days.length === 0) throw at.key('days').bad('must name a day, or be left out for all of them');
    if (from === '24:00') throw at.key('from').bad('must be before 24:00');
    if (from === to) throw at.key('to').bad(`must be another time than from; leave out both for the whole day`);
    return { days: [...new Set(days)], from, to, timezone: zone };
  },
};

/** One window, or a list of them. */
const severalWindows = list(oneWindow, undefined, { least: 1 });
export const windows: Reader<readonly TimeWindow[]> = {
  schema: { anyOf: [oneWindow.schema, severalWindows.schema] },
  read: (given, at) => (isArray(given) ? severalWindows.read(given, at) : [oneWindow.read(given, at)]),
};

const members = object(
  {
    [limitKeys.maxDeletes]: described('The most resources that one plan deletes.', count),
    [limitKeys.maxChanges]: described('The most resources that one plan changes.', count),
    [limitKeys.maxRisk]: described('The greatest risk of a change; from least to greatest.', choice(...risks)),
    [limitKeys.windows]: described(
      'When something may be applied: {days, from, to, timezone}, or a list of them.',
      windows,
    ),
    [limitKeys.rehearsal]: described(
      'required: only a plan that plan --rehearse --out or undo --rehearse --out has saved is applied.',
      choice('required'),
    ),
    [limitKeys.signature]: described('required: only a signed plan is applied.', choice('required')),
    [limitKeys.approvals]: described('How many signed approvals a plan needs.', count),
  },
  'limits: {max-deletes: 3}',
  true,
);

/** The limits of one environment. */
export const limits = described(
  'What flags cannot loosen.',
  map(members, (read, at): Limits => {
    const { rehearsal, signature, approvals } = read;
    const [maxDeletes, maxChanges] = [read[limitKeys.maxDeletes], read[limitKeys.maxChanges]];
    const [maxRisk, window] = [read[limitKeys.maxRisk], read[limitKeys.windows]];
    const limits = { maxDeletes, maxChanges, maxRisk, windows: window, rehearsal, signature, approvals };
    return { at: pathOf(at.pointer), ...present(limits) };
  }),
);
