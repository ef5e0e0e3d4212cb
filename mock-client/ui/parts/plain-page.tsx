/** A page with a message and one way on, where there are no steps to show. */

import { Component, type ReactNode } from 'react';
import type { TextKey } from '../../texts/texts.ts';
import { useLanguage } from '../language.tsx';
import { Button } from './button.tsx';

type PlainPageProps = { title: TextKey; text: TextKey; detail?: string; way: TextKey; onPress: () => void };

function PlainPage({ title, text, detail, way, onPress }: PlainPageProps) {
  const { say } = useLanguage();
  return (
    <main className="page page-narrow">
      <div className="card" role="alert">
        <h1>{say(title)}</h1>
        <p className="lead">{say(text)}</p>
        {detail !== undefined && <p className="hint">{detail}</p>}
        <Button text={way} onPress={onPress} />
      </div>
    </main>
  );
}

/** The page that is shown when the client's settings cannot be loaded. */
export function NoSettings({ detail, onRetry }: { detail: string; onRetry: () => void }) {
  return (
    <PlainPage
      title="noSettingsTitle"
      text="noSettingsText"
      detail={detail}
      way="tryAgain"
      onPress={onRetry}
    />
  );
}

type ErrorBoundaryProps = { onReload: () => void; children: ReactNode };

export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    const { onReload, children } = this.props;
    if (!this.state.failed) return children;
    return <PlainPage title="brokenTitle" text="brokenText" way="reload" onPress={onReload} />;
  }
}
