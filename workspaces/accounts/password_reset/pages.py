"""Pages of who forgot their password: asking for a link, and choosing another password with it."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import ProductError
from core.mail import is_mail_configured
from workspaces.access.client_address import client_address
from workspaces.accounts.password_reset.forms import ForgottenForm, NewPasswordForm
from workspaces.accounts.secret_addresses import hide_address
from workspaces.accounts.services.reset_links import MINUTES, request_reset_link, reset_password
from workspaces.http.console import show_refusal
from workspaces.models import User


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reset_request(request: HttpRequest) -> HttpResponse:
    """Ask for an address and mail a link to it; where no mail is sent, say whom to ask."""
    form = ForgottenForm(request.POST or None)
    if is_mail_configured() and request.method == "POST" and form.is_valid():
        request_reset_link(email=form.cleaned_data["email"], address=client_address(request))
        return redirect("password-forgotten-asked")
    return _request_answer(request, form)


@require_safe
def reset_request_receipt(request: HttpRequest) -> HttpResponse:
    """Say what happens now; the same for every address."""
    return render(request, "registration/forgotten_asked.html", {"minutes": MINUTES})


class NewPassword(PasswordResetConfirmView):
    """Choosing another password by a link, whose token goes into the session and out of the address."""

    template_name = "registration/new_password.html"
    form_class = NewPasswordForm  # type: ignore[assignment]  # Django asks for the password twice

    def dispatch(self, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(*args, **kwargs)
        hide_address(response)
        return response

    def render_to_response(self, context: dict[str, Any], **response_kwargs: Any) -> HttpResponse:
        if not self.validlink:
            response_kwargs["status"] = 404
        elif context["form"].errors:
            response_kwargs["status"] = 422
        return super().render_to_response(context, **response_kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        token = str(self.request.session.get(INTERNAL_RESET_SESSION_TOKEN, ""))
        user, address = cast(User, self.user), client_address(self.request)
        try:
            reset_password(user=user, token=token, new=form.cleaned_data["new"], address=address)
        except ProductError as error:
            show_refusal(form, error)
            return self.form_invalid(form)
        self.request.session.pop(INTERNAL_RESET_SESSION_TOKEN, None)
        messages.success(self.request, "Your password is changed. Sign in with it; you are signed out everywhere else.")
        return redirect("sign-in")


def _request_answer(request: HttpRequest, form: ForgottenForm) -> HttpResponse:
    status = 422 if form.is_bound else 200
    return render(
        request, "registration/forgotten.html", {"form": form, "can_mail": is_mail_configured()}, status=status
    )
