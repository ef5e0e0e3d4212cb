/** Shows a plain message and a way on where a part of the page cannot be drawn, instead of an empty page. */
import { Component, type ReactNode } from 'react';
import { useLanguage } from '../language.tsx';
import { Button } from './button.tsx';

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
  const { say } = useLanguage();
  return (
    <main className="page page-narrow">
      <div className="card" role="alert">
        <h1>{say('brokenTitle')}</h1>
        <p className="lead">{say('brokenText')}</p>
        <Button onPress={onReload}>{say('reload')}</Button>
      </div>
    </main>
  );
}
