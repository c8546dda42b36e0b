import { makeProgram } from '../../src/cli/program.ts';
import { fullName, leafCommands } from '../../src/terminal/line/commandTree.ts';
import { helpPage } from '../../test/cli/helpPages.ts';
import { codeBlock, escaped } from './html.ts';
import type { Page } from './page.ts';

const width = 100;

/** A page for each command, with what its `--help` says. */
export async function commandPages(): Promise<readonly Page[]> {
  const commands = leafCommands(makeProgram(async () => {}));
  return Promise.all(
    commands.map(async (command): Promise<Page> => {
      const name = fullName(command);
      const isOptions = name === 'help';
      const help = await helpPage(isOptions ? ['help', 'options'] : [...name.split(' '), '--help'], width);
      const title = isOptions ? 'gantry help options' : `gantry ${name}`;
      const words = isOptions ? 'Options that several commands share.' : sentence(command.description());
      const body = `<h1>${escaped(title)}</h1>\n<p>${escaped(words)}</p>\n${codeBlock(help, 'text')}`;
      return { path: `commands/${name.replaceAll(' ', '-')}.html`, title, part: 'Commands', body };
    }),
  );
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
