import { render } from 'preact';
import { Fleet } from './fleet.tsx';

const root = document.querySelector<HTMLElement>('#page');
if (root !== null) {
  render(<Fleet issuer={root.dataset['signIn']} />, root);
  root.removeAttribute('aria-busy');
}
