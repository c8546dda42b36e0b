import { render } from 'preact';
import type { PageData } from '../../src/report/pageData.ts';
import { App } from './app.tsx';

const embedded = document.querySelector('#report');
const root = document.querySelector('#page');

if (embedded !== null && root !== null) {
  const data: PageData = JSON.parse(embedded.textContent ?? '');
  const draw = (printing: boolean): void => render(<App data={data} printing={printing} />, root);
  draw(false);
  root.removeAttribute('aria-busy');
  // All of it on paper: rendering from here is done when the call returns, before the pages are made.
  addEventListener('beforeprint', () => draw(true));
  addEventListener('afterprint', () => draw(false));
}
