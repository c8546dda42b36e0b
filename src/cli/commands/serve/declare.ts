import { type Command, Option } from 'commander';
import type { Launch } from '../../line/launch.ts';
import { completePage } from '../../line/helpPage.ts';
import { collect, parseCount, parseDuration, parsePort } from '../../line/optionValues.ts';
import { addCommand } from '../../line/sharedOptions.ts';
import type { ServeOptions } from './run.ts';

export function declareServe(program: Command, launch: Launch): void {
  const command = addCommand(program, 'serve', ['org', 'token', 'data', 'dialect'])
    .description('run the platform: org from --org (local), data in --data (.gantry), or :memory:')
    .option('--port <port>', 'port to listen on; 0 picks a free one', parsePort, 4480)
    .option('--host <address>', 'address to listen on; another than loopback has no local-only endpoints', '127.0.0.1')
    .option('--public-url <url>', 'address of the server for its clients: of a proxy before it, or with a name')
    .option('--no-auth', 'check no token (loopback only)')
    .option('--tokens <file>', 'tokens of others: {tokens: [{token, principal, expires}]}')
    .option('--user <email>', 'seed a user (repeatable)', collect, [])
    .option('--lenient', 'rules that are perhaps stricter than the service warn only', false)
    .addOption(new Option('--answers <forms>', 'show records in other forms, for tests: bare,short').hideHelp())
    .option('--prove-ownership', 'a domain needs a proof of ownership', false)
    .option('--expand-limit <count>', 'expansions of a volume by command in 24 hours (default: no limit)', parseCount)
    .option('--rate-limit <count>', 'requests a second that one token may send (default: no limit)', parseCount)
    .option('--store <url>', 'postgres://user:password@host/database, in place of a file: for any number of servers')
    .option('--latency <duration>', 'delay of every answer', parseDuration, 0)
    .addOption(
      new Option('--ready-after <duration>', 'until deployments are ready')
        .argParser(parseDuration)
        .default(500, '500ms'),
    )
    .option('--deletion-delay <duration>', 'how long what is deleted is still shown', parseDuration, 0)
    .addOption(
      new Option('--clock <clock>', 'real, or virtual: stepped by POST /-clock')
        .choices(['real', 'virtual'])
        .default('real'),
    )
    .option('--seed <text>', 'of everything that is simulated', 'gantry')
    .option('--faults <file>', 'what is to go wrong, as for POST /-faults')
    .option('--from <file>', 'begin with the state of this file, as of GET /-snapshot')
    .option('--dev', 'with the local-only endpoints (the default on loopback, never elsewhere)')
    .option('--no-dev', 'without them')
    .action((_: unknown, parsed: Command) =>
      launch(parsed.opts<ServeOptions>(), async (context) => (await import('./run.ts')).runServe(context)),
    );
  completePage(command, 'server', [
    ['gantry serve', 'on port 4480, data in .gantry'],
    ['gantry serve --port 0 --data :memory: --token secret', 'on a free port, nothing kept'],
    ['gantry serve --clock virtual', 'time passes by POST /-clock only'],
  ]);
}
