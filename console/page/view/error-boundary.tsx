/** Shows a plain message and a way on where a part of the page cannot be drawn, instead of an empty page. */
import { Component, type ReactNode } from 'react';
import { texts } from '../texts.ts';
import { Button } from './parts/button.tsx';

export type ErrorBoundaryProps = { onReload: () => void; children: ReactNode };

export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    const { onReload, children } = this.props;
    return this.state.failed ? <Broken onReload={onReload} /> : children;
  }
}

function Broken({ onReload }: Pick<ErrorBoundaryProps, 'onReload'>) {
  return (
    <main className="gate" id="lanes" role="alert">
      <h1>{texts.brokenTitle}</h1>
      <p>{texts.brokenText}</p>
      <p>
        <Button className="btn btn-primary" text={texts.reload} onClick={onReload} />
      </p>
    </main>
  );
}
