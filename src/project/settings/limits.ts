import { isArray } from '../../base/json/json.ts';
import { isTimeZone, type Limits, limitKeys, type TimeWindow, timeOfDay, weekdays } from '../../plan/model/limits.ts';
import { risks } from '../../schema/facts/risk.ts';
import { readEach, type Setting } from './setting.ts';
import { choice, count, described, list, object } from './settingForms.ts';

const example = '{days: [mon, tue], from: "09:00", to: "17:00", timezone: Europe/Berlin}';

const time: Setting<string> = {
  schema: { type: 'string', pattern: timeOfDay.source },
  read(value, at) {
    if (typeof value === 'string' && timeOfDay.test(value)) return value;
    throw at.bad('must be a time of day such as "09:00"');
  },
};

const timezone: Setting<string> = {
  schema: { type: 'string', minLength: 1 },
  read(value, at) {
    if (isTimeZone(value)) return value;
    throw at.bad('must be a time zone by its IANA name, such as Europe/Berlin or UTC');
  },
};

const windowMembers = object(
  { days: list(choice(...weekdays), 'days: [mon, tue]'), from: time, to: time, timezone },
  `window: ${example}`,
);

const oneWindow: Setting<TimeWindow> = {
  schema: { ...windowMembers.schema, required: ['timezone'] },
  read(value, at) {
    const { days = weekdays, from = '00:00', to = '24:00', timezone: zone } = windowMembers.read(value, at);
    if (zone === undefined) throw at.bad(`needs a timezone, as in \`window: ${example}\``);
    if (days.length === 0) throw at.key('days').bad('must name a day, or be left out for all of them');
    if (from === '24:00') throw at.key('from').bad('must be before 24:00');
    if (from === to) throw at.key('to').bad(`must be another time than from; leave out both for the whole day`);
    return { days: [...new Set(days)], from, to, timezone: zone };
  },
};

/** One window, or a list of them. */
const windows: Setting<readonly TimeWindow[]> = {
  schema: { anyOf: [oneWindow.schema, { type: 'array', items: oneWindow.schema, minItems: 1 }] },
  read(value, at) {
    if (!isArray(value)) return [oneWindow.read(value, at)];
    if (value.length === 0) throw at.bad('must hold a window, or be left out');
    return readEach(value.map((each, index) => () => oneWindow.read(each, at.key(index))));
  },
};

const members = object(
  {
    [limitKeys.maxDeletes]: described('The most resources that one plan deletes.', count),
    [limitKeys.maxChanges]: described('The most resources that one plan changes.', count),
    [limitKeys.maxRisk]: described('The greatest risk of a change; from least to greatest.', choice(...risks)),
    [limitKeys.windows]: described('When something may be applied.', windows),
    [limitKeys.rehearsal]: described('Only a plan that was rehearsed is applied.', choice('required')),
    [limitKeys.signature]: described('Only a signed plan is applied.', choice('required')),
    [limitKeys.approvals]: described('How many signed approvals a plan needs.', count),
  },
  'limits: {max-deletes: 3}',
);

/** The limits of one environment. */
export const limits: Setting<Limits> = described('What flags cannot loosen.', {
  schema: members.schema,
  read(value, at) {
    const read = members.read(value, at);
    const [maxDeletes, maxChanges] = [read[limitKeys.maxDeletes], read[limitKeys.maxChanges]];
    const maxRisk = read[limitKeys.maxRisk];
    const window = read[limitKeys.windows];
    const { rehearsal, signature, approvals } = read;
    return {
      at: at.path,
      ...(maxDeletes === undefined ? {} : { maxDeletes }),
      ...(maxChanges === undefined ? {} : { maxChanges }),
      ...(maxRisk === undefined ? {} : { maxRisk }),
      ...(window === undefined ? {} : { windows: window }),
      ...(rehearsal === undefined ? {} : { rehearsal }),
      ...(signature === undefined ? {} : { signature }),
      ...(approvals === undefined ? {} : { approvals }),
    };
  },
});
