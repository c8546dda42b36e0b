import { compact } from '../../base/json/present.ts';
import { countOption, type OptionRow } from '../../kinds/common/client.ts';
import { permits } from '../../plan/model/permits.ts';
import { type SettingName, type SettingRow, settingsTable } from '../../project/settings/settingsTable.ts';
import { sharedOptions } from '../../terminal/sharedOptions.ts';
import { timeForms, wordings, writtenFormats } from '../call/command.ts';

/** The option of a setting, with other help text if given. */
function settingOption(name: SettingName, words?: string): OptionRow {
  const { flags = '', variable, about, usual }: SettingRow = settingsTable[name];
  const others = compact([variable, usual === undefined ? undefined : `or ${usual}`]);
  return { flags, about: `${words ?? about}${others.length === 0 ? '' : ` (else ${others.join(', ')})`}` };
}

/** The options of every command on single resources; the first line of the table in `docs/client.md`. */
export const commonOptions: readonly OptionRow[] = [
  settingOption('profile', 'the profile to use'),
  settingOption('org'),
  settingOption('env', 'one of the environments of gantry.yaml'),
  settingOption('gvc', 'the GVC to work in'),
  settingOption('endpoint', 'address of the platform'),
  settingOption('token'),
  settingOption('token-file', 'file with the token'),
  { ...settingOption('insecure'), flags: '-k, --insecure' },
  { flags: '--embedded', about: 'use a platform on this machine, started for this command' },
  settingOption('data'),
  settingOption('dialect'),
  { flags: '-o, --output <format>', about: 'format of the result', choices: writtenFormats, defaultText: 'text' },
  {
    flags: '--words <whose>',
    about: 'vocabulary of records: neutral, or that of the platform',
    choices: wordings,
    defaultText: 'neutral',
  },
  { flags: '--ts <form>', about: 'how tables show times', choices: timeForms, defaultText: 'age' },
  {
    flags: '--max <n>',
    about: 'show at most so many records of a list; 0 for all',
    valueType: 'max',
    defaultText: '50',
  },
  { flags: '--color', about: 'use colors, even if the output is not a terminal' },
  { flags: '--no-color', about: 'use no colors (else NO_COLOR)' },
  { flags: '--no-input', about: 'never ask; without --yes nothing is changed' },
  { flags: '--no-pager', about: sharedOptions['no-pager'].description },
  { flags: '-v, --verbose', about: 'print each request on standard error' },
  { flags: '-d, --debug', about: 'print requests and answers with their bodies on standard error' },
];

/** For records that the platform deletes although others need them: this leaves dangling references. */
export const danglingOption: OptionRow = countOption('--allow-dangling <n>', permits.allowDangling.help);
export const watchOptions: readonly OptionRow[] = [
  { flags: '-w, --watch', about: 'keep running and print what changes; Ctrl-C ends it' },
  {
    flags: '--wait-timeout <duration>',
    about: 'stop watching after 30s, 5m, 1h',
    valueType: 'waitTimeout',
    needs: '--watch',
  },
];
