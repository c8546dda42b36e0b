import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  /** Why it is requested again. */
  readonly problem: string | undefined;
  /** Where users sign in without a token. */
  readonly elsewhere?: { readonly href: string; readonly name: string } | undefined;
  readonly about: string;
  readonly onToken: (token: string) => void;
}

/** Prompts for the token, or links to the sign-in page. */
export function SignIn({ problem, elsewhere, about, onToken }: Props): VNode {
  const [token, setToken] = useState('');
  return (
    <section class="panel sign-in" aria-labelledby="sign-in-title">
      <h1 id="sign-in-title">Sign in</h1>
      {problem !== undefined && (
        <p class="callout bad" role="alert">
          {problem}
        </p>
      )}
      {elsewhere !== undefined && (
        <>
          <p>
            <a class="button" href={elsewhere.href}>
              Sign in with {elsewhere.name}
            </a>
          </p>
          <h2>Or with a token</h2>
        </>
      )}
      <p class="hint">{about}</p>
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
