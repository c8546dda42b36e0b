import { render } from 'preact';
import { Fleet } from './fleet.tsx';

const root = document.querySelector('#page');
if (root !== null) {
  render(<Fleet />, root);
  root.removeAttribute('aria-busy');
}
