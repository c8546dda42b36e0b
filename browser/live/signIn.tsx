import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  /** Why it is asked for again. */
  readonly problem: string | undefined;
  readonly about: string;
  readonly onToken: (token: string) => void;
}

/** Asks for the token. */
export function SignIn({ problem, about, onToken }: Props): VNode {
  const [token, setToken] = useState('');
  return (
    <section class="panel sign-in" aria-labelledby="sign-in-title">
      <h1 id="sign-in-title">Sign in</h1>
      <p class="hint">{about}</p>
      {problem !== undefined && (
        <p class="callout bad" role="alert">
          {problem}
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== '') onToken(token.trim());
        }}
      >
        <label>
          <span>Token</span>
          <input
            type="password"
            name="token"
            autocomplete="off"
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Sign in</button>
      </form>
    </section>
  );
}
