import { select } from 'd3-selection';
import { type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom';
import type { Ref, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { actionWords } from '../../src/change/words.ts';
import type { Picture } from '../../src/report/picture.ts';
import { counted, seen, Text } from './parts/text.tsx';

interface Props {
  readonly picture: Picture;
  readonly printing: boolean;
  /** The ids that pass the filter; undefined without a filter. */
  readonly passing: ReadonlySet<string> | undefined;
  /** The item to show in the middle; a new object each time. */
  readonly target: { readonly id: string } | undefined;
  readonly onOpen: (id: string) => void;
  /** Shows the resources of a box that represents many. */
  readonly onGroup: (group: Picture['boxes'][number]) => void;
}

/** The pixels that an arrow key moves the picture, if no item is selected. */
const step = 60;

export function PictureView({ picture, printing, passing, target, onOpen, onGroup }: Props): VNode {
  const svg = useRef<SVGSVGElement>(null);
  const content = useRef<SVGGElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const zoom = useRef<Zoom>(undefined);
  const [chosen, choose] = useState<Item>();
  const items = itemsOf(picture);

  useLayoutEffect(() => {
    if (svg.current === null || content.current === null) return undefined;
    const made = zoomOf(svg.current, content.current, picture);
    made.fit();
    zoom.current = made;
    return () => made.close();
  }, [picture]);
  useEffect(() => {
    const item = items.find(({ id }) => id === target?.id);
    if (item === undefined) return;
    choose(item);
    zoom.current?.show(item);
    frame.current?.scrollIntoView({ block: 'center' });
    frame.current?.focus({ preventScroll: true });
  }, [target]);

  function open(item: Item): void {
    if (item.group !== undefined) onGroup(item.group);
    else if (item.role === 'change') onOpen(item.id);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || !handle(event.key)) return;
    event.preventDefault();
  }

  /** False if the key is not handled. */
  function handle(key: string): boolean {
    const direction = arrows[key];
    if (direction !== undefined) {
      const [x, y] = direction;
      const next = nextItem(items, chosen, { x, y });
      if (next === undefined) zoom.current?.move(-x * step, -y * step);
      else {
        choose(next);
        zoom.current?.show(next);
      }
    } else if (key === '+' || key === '=') zoom.current?.by(1.3);
    else if (key === '-') zoom.current?.by(1 / 1.3);
    else if (key === '0') zoom.current?.fit();
    else if (key === 'Enter' && chosen !== undefined) open(chosen);
    else if (key === 'Escape' && chosen !== undefined) choose(undefined);
    else return false;
    return true;
  }

  return (
    <section class="panel picture" id="picture" aria-labelledby="picture-title">
      <div class="picture-head">
        <h2 id="picture-title">What depends on what</h2>
        <div class="tools no-print">
          <button type="button" onClick={() => zoom.current?.by(1 / 1.3)} aria-label="Smaller">
            −
          </button>
          <button type="button" onClick={() => zoom.current?.by(1.3)} aria-label="Larger">
            +
          </button>
          <button type="button" onClick={() => zoom.current?.fit()}>
            Fit
          </button>
        </div>
      </div>
      {picture.grouped && (
        <p class="hint">
          Each box represents all changes of one kind, GVC and action: there are too many to draw one by one. Choose a
          box to list them.
        </p>
      )}
      <div class="stage">
        <div
          ref={frame}
          class="canvas"
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes keys
          tabIndex={0}
          aria-label={`Picture of the dependencies: ${counted(items.length, picture.grouped ? 'group' : 'resource')}`}
          aria-describedby="picture-keys"
          onKeyDown={onKeyDown}
          style={{
            aspectRatio: `${picture.width} / ${picture.height}`,
            maxHeight: `min(70vh, ${Math.min(picture.height, 900)}px)`,
          }}
        >
          <PictureSvg
            {...{ svg, content, picture, printing, items, passing, chosen }}
            onChoose={choose}
            onOpen={open}
          />
        </div>
        <output class="chosen" aria-live="polite">
          {chosen !== undefined && (
            <>
              <strong>
                <Text of={chosen.words} />
              </strong>{' '}
              <button
                type="button"
                class="quiet no-print"
                onClick={() => open(chosen)}
                hidden={chosen.role !== 'change'}
              >
                {chosen.group === undefined ? 'Open the change' : 'List them'}
              </button>
            </>
          )}
        </output>
      </div>
      <Legend picture={picture} />
      <p class="hint no-print" id="picture-keys">
        Drag to move, Ctrl and wheel to zoom. With keys: arrows go from box to box, <kbd>+</kbd> <kbd>−</kbd>{' '}
        <kbd>0</kbd> zoom, <kbd>Enter</kbd> opens. The list below says the same in words.
      </p>
    </section>
  );
}

const arrows: Readonly<Record<string, readonly [-1 | 0 | 1, -1 | 0 | 1]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function Legend({ picture: { links, boxes, direction } }: { readonly picture: Picture }): VNode {
  const has = (meaning: string): boolean => links.some((link) => link.meaning === meaning);
  return (
    <ul class="legend">
      <li>
        <svg width="34" height="10" aria-hidden="true">
          <path class="link order" d="M0 5H32" />
        </svg>
        {direction === 'right' ? 'each box waits for those to its left' : 'each box waits for those above it'}
      </li>
      {links.some(({ soft }) => soft) && (
        <li>
          <svg width="34" height="10" aria-hidden="true">
            <path class="link order soft" d="M0 5H32" />
          </svg>
          waits, and goes on where it fails
        </li>
      )}
      {(has('takes') || boxes.some(({ role }) => role === 'goes-along')) && (
        <li>
          <svg width="34" height="10" aria-hidden="true">
            <path class="link takes" d="M0 5H32" />
          </svg>
          is deleted along with it
        </li>
      )}
      {has('hits') && (
        <li>
          <svg width="34" height="10" aria-hidden="true">
            <path class="link hits" d="M0 5H32" />
          </svg>
          is hit by it
        </li>
      )}
    </ul>
  );
}

/** The fonts of the picture's texts in the style sheet. */
const fonts = { name: '600 13px', kind: '11px', frame: '600 12px' } as const;

const canvas = document.createElement('canvas').getContext('2d');

/**
 * A text limited to a number of pixels in the reader's font, with its middle omitted if necessary: names of one kind
 * differ at their ends.
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

interface SvgProps {
  readonly svg: Ref<SVGSVGElement>;
  readonly content: Ref<SVGGElement>;
  readonly picture: Picture;
  /** Shows everything at the width of the paper, where it cannot be moved. */
  readonly printing: boolean;
  readonly items: readonly Item[];
  readonly passing: ReadonlySet<string> | undefined;
  readonly chosen: Item | undefined;
  readonly onChoose: (item: Item) => void;
  readonly onOpen: (item: Item) => void;
}

/** The start of a box's text, after its symbol. */
const textStart = 36;

/** The drawing itself. It is hidden from screen readers: its frame names the selected item. */
function PictureSvg({ svg, content, picture, printing, items, passing, chosen, onChoose, onOpen }: SvgProps): VNode {
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

/** A selectable item of a picture: one resource, or a box that represents many. */
interface Item extends Area {
  readonly id: string;
  readonly box: number;
  readonly action: keyof typeof actionWords | undefined;
  readonly role: Picture['nodes'][number]['role'];
  readonly title: string;
  readonly subtitle: string;
  /** For screen readers. */
  readonly words: string;
  readonly group?: Picture['boxes'][number];
}

function itemsOf(picture: Picture): readonly Item[] {
  return picture.grouped ? groupItems(picture) : nodeItems(picture);
}

function nodeItems({ nodes }: Picture): readonly Item[] {
  return nodes.map(({ id, kind, name, gvc, action, role, x, y, width, height, box }) => ({
    ...{ id, action, role, x, y, width, height, box },
    title: name,
    subtitle: gvc === undefined ? kind : `${kind} in ${gvc}`,
    words: `${id}: ${fate(action, role)}`,
  }));
}

function groupItems({ boxes }: Picture): readonly Item[] {
  return boxes.map((group, box) => {
    const { kind, gvc, action, role, count, x, y, width, height } = group;
    const words = `${count.toLocaleString('en')} of ${kind}`;
    return {
      ...{ id: String(box), action, role, x, y, box, width, height, group },
      title: words,
      subtitle: `${gvc === undefined ? '' : `in ${gvc}, `}${fate(action, role)}`,
      words: `${words}${gvc === undefined ? '' : ` in ${gvc}`}: ${fate(action, role)}`,
    };
  });
}

function fate(action: Item['action'], role: Item['role']): string {
  if (role === 'goes-along') return 'deleted with its GVC';
  if (role === 'hit') return 'is hit';
  return action === undefined ? '' : actionWords[action].verb;
}

/** The nearest one in a direction; the first of all if none is selected. */
function nextItem(
  items: readonly Item[],
  chosen: Item | undefined,
  direction: { readonly x: number; readonly y: number },
): Item | undefined {
  if (chosen === undefined) return items[0];
  let [best, bestCost] = [chosen, Number.POSITIVE_INFINITY];
  for (const item of items) {
    const [x, y] = [item.x - chosen.x, item.y - chosen.y];
    const along = x * direction.x + y * direction.y;
    const across = Math.abs(x * direction.y) + Math.abs(y * direction.x);
    const cost = along + 3 * across;
    if (along > 0 && across <= 3 * along && cost < bestCost) [best, bestCost] = [item, cost];
  }
  return best;
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Moves and scales the content of an SVG: by mouse, fingers and calls. */
interface Zoom {
  /** Shows the whole picture, or its beginning if the whole would be too small. */
  fit(): void;
  by(factor: number): void;
  move(x: number, y: number): void;
  /** Centres this area, large enough to read. */
  show(area: Area): void;
  close(): void;
}

/** The least scale: below it, names are unreadable. A narrow window allows less, as it would show hardly a box. */
const smallest = { wide: 0.6, narrow: 0.2 };
const narrowest = 600;
const limits: [number, number] = [0.02, 3];

function zoomOf(svg: SVGSVGElement, content: SVGGElement, size: Pick<Area, 'width' | 'height'>): Zoom {
  /** Until the user moves it, a picture adapts to the window's size. */
  let fitted = true;
  const picture = select<SVGSVGElement, unknown>(svg);
  const behaviour: ZoomBehavior<SVGSVGElement, unknown> = zoom<SVGSVGElement, unknown>()
    .scaleExtent(limits)
    // The wheel and one finger scroll the page, as everywhere else on it.
    .filter((event: Event) => {
      if (event instanceof WheelEvent) return event.ctrlKey || event.metaKey;
      if (typeof TouchEvent !== 'undefined' && event instanceof TouchEvent) return event.touches.length > 1;
      return event.type !== 'dblclick' && (!(event instanceof MouseEvent) || event.button === 0);
    })
    .on('start', ({ sourceEvent }) => {
      if (sourceEvent !== null) fitted = false;
    })
    .on('zoom', ({ transform }) => content.setAttribute('transform', String(transform)));
  picture.call(behaviour);
  const sizes = new ResizeObserver(() => {
    if (fitted) showWhole();
  });
  sizes.observe(svg);

  function at(scale: number, area: Area): void {
    const { clientWidth, clientHeight } = svg;
    const x = clientWidth / 2 - scale * (area.x + area.width / 2);
    const y = clientHeight / 2 - scale * (area.y + area.height / 2);
    picture.call(behaviour.transform, zoomIdentity.translate(x, y).scale(scale));
  }

  function showWhole(): void {
    fitted = true;
    const { clientWidth, clientHeight } = svg;
    const least = clientWidth < narrowest ? smallest.narrow : smallest.wide;
    const scale = Math.max(least, Math.min(1, clientWidth / size.width, clientHeight / size.height));
    const [x, y] = [clientWidth - scale * size.width, clientHeight - scale * size.height];
    picture.call(behaviour.transform, zoomIdentity.translate(Math.max(0, x / 2), Math.max(0, y / 2)).scale(scale));
  }

  function moved(change: () => void): void {
    fitted = false;
    change();
  }

  return {
    fit: showWhole,
    by: (factor) => moved(() => picture.call(behaviour.scaleBy, factor)),
    move: (x, y) => moved(() => picture.call(behaviour.translateBy, x, y)),
    show: (area) => moved(() => at(0.9, area)),
    close() {
      sizes.disconnect();
      picture.on('.zoom', null);
    },
  };
}
