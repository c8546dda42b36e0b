import { select } from 'd3-selection';
import { type ZoomBehavior, zoom, zoomIdentity } from 'd3-zoom';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Moves and enlarges the content of an SVG: by mouse, fingers and calls. */
export interface Zoom {
  /** The whole picture, or its beginning where the whole would be too small to be of use. */
  fit(): void;
  by(factor: number): void;
  move(x: number, y: number): void;
  /** So that this is in the middle, large enough to read. */
  show(area: Area): void;
  close(): void;
}

/** Below it names cannot be read: in a wide window the beginning says more. In a narrow one hardly a box would be seen. */
const smallest = { wide: 0.6, narrow: 0.2 };
const narrowest = 600;
const limits: [number, number] = [0.02, 3];

export function zoomOf(svg: SVGSVGElement, content: SVGGElement, size: Pick<Area, 'width' | 'height'>): Zoom {
  /** A picture that nobody has moved fits whatever the window becomes. */
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
