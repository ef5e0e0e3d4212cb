/** Shows a plain message and a way on where a part of the page cannot be drawn, instead of an empty page. */
import { Component, type ReactNode } from 'react';
import { PlainPage } from './plain-page.tsx';

export type ErrorBoundaryProps = { onReload: () => void; children: ReactNode };

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
