import type { Ref, VNode } from 'preact';
import { actionWords } from '../../../src/change/words.ts';
import type { Picture } from '../../../src/report/picture/picture.ts';
import { seen } from '../parts/text.tsx';
import type { Item } from './pictureItems.ts';

/** As the style sheet has the texts of the picture. */
const fonts = { name: '600 13px', kind: '11px', frame: '600 12px' } as const;

const canvas = document.createElement('canvas').getContext('2d');

/**
 * A text that is no wider than so many pixels in the font that the reader has, with its middle left out where it has to
 * be: names of one kind differ at their ends.
 */
function fitted(text: string, font: keyof typeof fonts, width: number): string {
  if (canvas === null) return text;
  canvas.font = `${fonts[font]} ${getComputedStyle(document.body).fontFamily}`;
  if (canvas.measureText(text).width <= width) return text;
  const characters = [...text];
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const kept = (fits + tooMany) >> 1;
    if (canvas.measureText(cut(characters, kept)).width <= width) fits = kept;
    else tooMany = kept;
  }
  return cut(characters, fits);
}

function cut(characters: readonly string[], kept: number): string {
  const end = kept >> 1;
  return `${characters.slice(0, kept - end).join('')}…${end === 0 ? '' : characters.slice(-end).join('')}`;
}

interface Props {
  readonly svg: Ref<SVGSVGElement>;
  readonly content: Ref<SVGGElement>;
  readonly picture: Picture;
  /** All of it, at whatever width the paper has: nobody can move it there. */
  readonly printing: boolean;
  readonly items: readonly Item[];
  readonly passing: ReadonlySet<string> | undefined;
  readonly chosen: Item | undefined;
  readonly onChoose: (item: Item) => void;
  readonly onOpen: (item: Item) => void;
}

/** Where the text of a box begins, behind its symbol. */
const textStart = 36;

/** The drawing itself. The eye only: its frame says in words what is chosen. */
export function PictureSvg({
  svg,
  content,
  picture,
  printing,
  items,
  passing,
  chosen,
  onChoose,
  onOpen,
}: Props): VNode {
  const { boxes, links, grouped } = picture;
  const near = new Set(
    links.flatMap(({ from, to }) => (chosen !== undefined && [from, to].includes(chosen.box) ? [from, to] : [])),
  );
  return (
    <svg
      ref={svg}
      class={chosen === undefined ? '' : 'choosing'}
      aria-hidden="true"
      data-nodes={items.length}
      viewBox={printing ? `0 0 ${picture.width} ${picture.height}` : undefined}
    >
      <defs>
        {['order', 'takes', 'hits', 'near'].map((name) => (
          <marker
            key={name}
            id={`arrow-${name}`}
            class={name}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" />
          </marker>
        ))}
      </defs>
      <g ref={content}>
        {!grouped &&
          boxes.map(
            ({ x, y, width, height, count, kind, gvc }, index) =>
              count > 1 && (
                <g key={index} class="frame" transform={`translate(${x} ${y})`}>
                  <rect width={width} height={height} rx="10" />
                  <text x="10" y="19">
                    {fitted(seen(`${count} of ${kind}${gvc === undefined ? '' : ` in ${gvc}`}`), 'frame', width - 20)}
                  </text>
                </g>
              ),
          )}
        {links.map(({ from, to, meaning, soft, path }) => {
          const isNear = chosen?.box === from || chosen?.box === to;
          return (
            <path
              key={`${from} ${to}`}
              class={`link ${meaning}${soft ? ' soft' : ''}${isNear ? ' near' : ''}`}
              d={path}
              marker-end={`url(#arrow-${isNear ? 'near' : meaning})`}
            />
          );
        })}
        {items.map((item) => {
          const { id, action = 'delete', role, x, y, width, height, title, subtitle, box } = item;
          const dim = passing !== undefined && !passing.has(id);
          const classes = [
            'node',
            role === 'change' ? action : role,
            ...(dim ? ['dim'] : []),
            ...(near.has(box) || chosen?.box === box ? ['near'] : []),
            ...(chosen?.id === id ? ['chosen'] : []),
          ];
          const symbol = role === 'change' ? actionWords[action].sign : role === 'hit' ? '↯' : '⊖';
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the frame of the picture has the keys
            <g
              key={id}
              class={classes.join(' ')}
              transform={`translate(${x} ${y})`}
              onClick={() => onChoose(item)}
              onDblClick={() => onOpen(item)}
            >
              <title>{seen(item.words)}</title>
              <rect width={width} height={height} rx="8" />
              <text class="symbol" x="20" y={height / 2 + 6}>
                {symbol}
              </text>
              <text class="name" x={textStart} y={height / 2 - 3}>
                {fitted(seen(title), 'name', width - textStart - 8)}
              </text>
              <text class="kind" x={textStart} y={height / 2 + 12}>
                {fitted(seen(subtitle), 'kind', width - textStart - 8)}
              </text>
            </g>
          );
        })}
      </g>
    </svg>
  );
}
