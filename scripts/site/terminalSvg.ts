import { stripVTControlCharacters } from 'node:util';
import { present } from '../../src/base/json/present.ts';
import { escaped } from './html.ts';

const characterWidth = 8.4;
const lineHeight = 20;
const padding = 16;
const barHeight = 34;

/** Colours by terminal code; the background is dark in every theme. */
const colours: Readonly<Record<string, string>> = {
  '31': '#ff7b72',
  '32': '#7ee787',
  '33': '#e3b341',
  '34': '#79c0ff',
  '35': '#d2a8ff',
  '36': '#76e3ea',
  '90': '#8b949e',
};

interface Look {
  readonly colour?: string;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
}

/** A terminal with a command and its coloured output. */
export function terminalSvg(command: string, output: string): string {
  const lines = [`\u001b[90m$\u001b[39m ${command}`, '', ...output.trimEnd().split('\n')];
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const width = Math.ceil(columns * characterWidth + 2 * padding);
  const height = lines.length * lineHeight + barHeight + padding;
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${padding + 6 + index * 18}" cy="17" r="6" fill="${fill}"/>`,
  );
  const rows = lines.map((line, index) => {
    const y = barHeight + (index + 0.75) * lineHeight;
    return `<text x="${padding}" y="${y}">${lineSvg(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(command)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>
${dots.join('\n')}
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">
${rows.join('\n')}
</g>
</svg>
`;
}

/** A control sequence begins with these two characters; `1;31m` is the rest of one. */
const begin = '\u001b[';

function lineSvg(line: string): string {
  let look: Look = {};
  const [head = '', ...rest] = line.split(begin);
  const spans = rest.map((part) => {
    const [, codes = '', text = part] = /^([\d;]*)m([\s\S]*)$/.exec(part) ?? [];
    for (const code of codes.split(';')) look = after(look, code);
    return span(text, look);
  });
  return [span(head, {}), ...spans].join('');
}

function after(look: Look, code: string): Look {
  switch (code) {
    case '':
    case '0':
      return {};
    case '1':
      return { ...look, isBold: true };
    case '2':
      return { ...look, isDim: true };
    case '22': {
      const { colour } = look;
      return present({ colour });
    }
    case '39': {
      const { colour: _, ...rest } = look;
      return rest;
    }
    default: {
      const colour = colours[code];
      return colour === undefined ? look : { ...look, colour };
    }
  }
}

function span(text: string, { colour, isBold, isDim }: Look): string {
  if (text === '') return '';
  const fill = colour === undefined ? '' : ` fill="${colour}"`;
  const weight = isBold === true ? ' font-weight="bold"' : '';
  const opacity = isDim === true ? ' opacity="0.65"' : '';
  return `<tspan${fill}${weight}${opacity}>${escaped(text).replaceAll(' ', '\u00a0')}</tspan>`;
}
