"""The memory tool of the Anthropic SDK: the files below `/memories` are memories of a workspace."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types import beta
from anthropic.types.beta import BetaCacheControlEphemeralParam

from workspace_memory.errors import ApiError
from workspace_memory.integrations.memory_files import (
    ALL,
    ROOT,
    FilePathError,
    MemoryFile,
    clean_path,
    content_of,
    inserted_text,
    is_below,
    moved_paths,
    read_file,
    render_change,
    render_file,
    render_folder,
    replaced_text,
    tags_of,
)
from workspace_memory.sync.client import Memory

ViewCommand = beta.BetaMemoryTool20250818ViewCommand
CreateCommand = beta.BetaMemoryTool20250818CreateCommand
StrReplaceCommand = beta.BetaMemoryTool20250818StrReplaceCommand
InsertCommand = beta.BetaMemoryTool20250818InsertCommand
DeleteCommand = beta.BetaMemoryTool20250818DeleteCommand
RenameCommand = beta.BetaMemoryTool20250818RenameCommand


class WorkspaceMemoryTool(BetaAbstractMemoryTool):
    """The tool `memory`, whose files people see, correct and hide in the console, and every agent recalls.

    Give it the client of one user, `memory.for_user("mara", shared=False)`, and the files are those of this user. A
    file has at most 16,000 characters. What the server refuses, such as a credential, is an error that the model reads.
    """

    def __init__(
        self, memory: Memory | None = None, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._memory = memory or Memory()

    def view(self, command: ViewCommand) -> str:
        """Return a file with line numbers, or what is in a folder."""
        with _refusals():
            path, files = clean_path(command.path), self._files()
            if path in files:
                return render_file(files[path], command.view_range)
            below = [file for file in files.values() if is_below(file.path, path)]
            if path != ROOT and not below:
                raise _absent(command.path)
            return render_folder(path, below)

    def create(self, command: CreateCommand) -> str:
        """Create a file."""
        with _refusals():
            file = MemoryFile(clean_path(command.path), command.file_text)
            files = self._files()
            if file.path in files or file.path == ROOT or any(is_below(path, file.path) for path in files):
                raise ToolError(f"File {command.path} already exists")
            self._memory.write(content_of(file), tags=tags_of(file))
            return f"File created successfully at: {command.path}"

    def str_replace(self, command: StrReplaceCommand) -> str:
        """Replace a text that occurs once in a file."""
        with _refusals():
            file = self._file(command.path)
            text = replaced_text(file, command.old_str, command.new_str)
            self._rewrite(replace(file, text=text))
            return render_change(text, file.text.find(command.old_str))

    def insert(self, command: InsertCommand) -> str:
        """Insert lines into a file."""
        with _refusals():
            file = self._file(command.path)
            self._rewrite(replace(file, text=inserted_text(file, command.insert_line, command.insert_text)))
            return f"The file {command.path} has been edited."

    def delete(self, command: DeleteCommand) -> str:
        """Delete a file, or all files of a folder."""
        with _refusals():
            path, files = clean_path(command.path), self._files()
            if path == ROOT:
                raise ToolError(f"Cannot delete the {ROOT} directory itself")
            found = [file for file in files.values() if file.path == path or is_below(file.path, path)]
            if not found:
                raise ToolError(f"The path {command.path} does not exist")
            for file in found:
                self._memory.memories.forget(file.memory_id)
            return f"Successfully deleted {command.path}"

    def rename(self, command: RenameCommand) -> str:
        """Move a file, or all files of a folder."""
        with _refusals():
            old, new, files = clean_path(command.old_path), clean_path(command.new_path), self._files()
            if ROOT in (old, new):
                raise ToolError(f"Cannot rename the {ROOT} directory itself")
            if new in files or any(is_below(path, new) for path in files):
                raise ToolError(f"The destination {command.new_path} already exists")
            moved = moved_paths(files, old, new)
            if not moved:
                raise ToolError(f"The path {command.old_path} does not exist")
            for path, moved_path in moved.items():
                self._rewrite(replace(files[path], path=moved_path))
            return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear_all_memory(self) -> str:
        """Delete all files."""
        with _refusals():
            for file in self._files().values():
                self._memory.memories.forget(file.memory_id)
            return "All memory cleared"

    def _files(self) -> dict[str, MemoryFile]:
        """Return the files by path; of two with one path the newer one, and none that people keep from agents."""
        stored = [memory for memory in self._memory.memories.list(tags=[ALL]) if not memory.suppressed]
        files = [file for file in map(read_file, reversed(stored)) if file is not None]
        return {file.path: file for file in files}

    def _file(self, path: str) -> MemoryFile:
        clean, files = clean_path(path), self._files()
        if clean not in files:
            is_folder = any(is_below(each, clean) for each in files) or clean == ROOT
            raise ToolError(f"The path {path} is not a file.") if is_folder else _absent(path)
        return files[clean]

    def _rewrite(self, file: MemoryFile) -> None:
        self._memory.memories.edit(file.memory_id, content=content_of(file), tags=tags_of(file))


class AsyncWorkspaceMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for `AsyncAnthropic`; calls run in threads."""

    def __init__(
        self, memory: Memory | None = None, *, cache_control: BetaCacheControlEphemeralParam | None = None
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._tool = WorkspaceMemoryTool(memory)

    async def view(self, command: ViewCommand) -> str:
        return await asyncio.to_thread(self._tool.view, command)

    async def create(self, command: CreateCommand) -> str:
        return await asyncio.to_thread(self._tool.create, command)

    async def str_replace(self, command: StrReplaceCommand) -> str:
        return await asyncio.to_thread(self._tool.str_replace, command)

    async def insert(self, command: InsertCommand) -> str:
        return await asyncio.to_thread(self._tool.insert, command)

    async def delete(self, command: DeleteCommand) -> str:
        return await asyncio.to_thread(self._tool.delete, command)

    async def rename(self, command: RenameCommand) -> str:
        return await asyncio.to_thread(self._tool.rename, command)

    async def clear_all_memory(self) -> str:
        return await asyncio.to_thread(self._tool.clear_all_memory)


@contextmanager
def _refusals() -> Iterator[None]:
    """Report what cannot be done to the model, in the tool's result."""
    try:
        yield
    except FilePathError as error:
        raise ToolError(str(error)) from error
    except ApiError as error:
        raise ToolError(" ".join([error.detail, *(problem.detail for problem in error.problems)])) from error


def _absent(path: str) -> ToolError:
    return ToolError(f"The path {path} does not exist. Please provide a valid path.")
