import { render } from 'preact';
import { Console } from './console.tsx';

const root = document.querySelector('#page');
if (root !== null) {
  render(<Console />, root);
  root.removeAttribute('aria-busy');
}
