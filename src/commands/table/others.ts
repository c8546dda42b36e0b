import type { OptionRow } from '../../kinds/common/client.ts';
import { askOptions, bodyFileOption } from '../../kinds/common/clientOptions.ts';
import type { CommandRow } from '../call/command.ts';

const profiles = () => import('../run/profiles.ts');
const makesDefault: OptionRow = { flags: '--default', about: 'make it the default' };

/** Profiles of this user: files of their own, no platform is asked. */
export const profileRows: readonly CommandRow[] = [
  {
    verb: 'create',
    about: 'save a profile: --endpoint, --org, --gvc, --token-file, --insecure',
    args: ['<name>'],
    options: [makesDefault],
    examples: [['gantry profile create work --endpoint https://api.example.com --org acme', '']],
    result: 'items',
    load: async () => (await profiles()).runCreateProfile,
  },
  {
    verb: 'update',
    about: 'change the given settings of a profile',
    args: ['<name>'],
    options: [makesDefault],
    result: 'items',
    load: async () => (await profiles()).runUpdateProfile,
  },
  {
    verb: 'get',
    about: 'show one or all profiles, without tokens',
    args: ['[name]'],
    result: 'items',
    load: async () => (await profiles()).runGetProfile,
  },
  {
    verb: 'delete',
    about: 'delete a profile',
    args: ['<name>'],
    result: 'items',
    load: async () => (await profiles()).runDeleteProfile,
  },
  {
    verb: 'set-default',
    about: 'choose the profile that is used by default',
    args: ['<name>'],
    result: 'items',
    load: async () => (await profiles()).runSetDefault,
  },
  {
    verb: 'login',
    about: 'save the token of a profile: from the prompt, from standard input, or --token-file',
    args: ['[name]'],
    examples: [['gantry profile login work < token.txt', 'from standard input']],
    result: 'items',
    load: async () => (await profiles()).runLogin,
  },
];

const methods = {
  get: 'send a GET',
  post: 'send a POST',
  put: 'send a PUT; without a path, each record of the file to its own collection, as it is',
  patch: 'send a PATCH',
  delete: 'send a DELETE, after asking',
  create: 'send a POST, and show what it made',
};

/** Any path of the API. */
export const restRows: readonly CommandRow[] = Object.entries(methods).map(([verb, about]) => ({
  verb,
  about,
  args: [verb === 'put' ? '[path]' : '<path>'],
  options:
    verb === 'get'
      ? []
      : verb === 'delete'
        ? askOptions
        : [{ ...bodyFileOption, about: 'the body as YAML or JSON; - is standard input' }],
  result: 'document',
  calls: verb === 'create' ? 'POST path, GET Location' : `${verb.toUpperCase()} path`,
  examples: [
    [
      `gantry rest ${verb} ${verb === 'get' || verb === 'delete' ? '//gvc/shop' : '//gvc --file -'}`,
      '// stands for the org',
    ],
    ...(verb === 'put'
      ? ([
          ['gantry put --file records.yaml', 'create or replace records; one that is replaced leaves its stack'],
        ] as const)
      : []),
  ],
  load: async () => (await import('../run/rest.ts')).runRest,
}));

const shells = {
  bash: 'source <(gantry completion bash)',
  zsh: 'source <(gantry completion zsh)',
  fish: 'gantry completion fish | source',
  powershell: 'gantry completion powershell | Out-String | Invoke-Expression',
};

/** Scripts for shells. */
export const completionRows: readonly CommandRow[] = Object.entries(shells).map(([verb, line]) => ({
  verb,
  about: `print the script for ${verb}`,
  result: 'document',
  examples: [[line, 'in the file that the shell reads when it starts']],
  load: async () => (await import('../run/completion.ts')).runCompletion,
}));
